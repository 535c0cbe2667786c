import { expect, it } from 'vitest';
import { webLink } from '../../../renderer/ui/markdown/web-link.ts';

it('Only addresses of the web that show where they lead are links', () => {
  const tried = [
    'https://example.com/a?b=1',
    'http://localhost:8080/',
    'https://xn--pple-43d.com/',
    'https://google.com@evil.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'kairos://open',
    'mailto:a@b.c',
    '/relative',
    '#part',
    'https://',
  ];
  expect(tried.map((address) => webLink(address)?.host ?? null)).toEqual([
    'example.com',
    'localhost:8080',
    'xn--pple-43d.com',
    ...Array.from({ length: 9 }, () => null),
  ]);
});
