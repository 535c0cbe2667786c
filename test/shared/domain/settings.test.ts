import { describe, expect, it } from 'vitest';
import { defaultSettings, parseSettings } from '../../../shared/domain/settings.ts';

describe('settings', () => {
  it('of an empty file are the defaults', () => {
    expect(parseSettings({})).toEqual({ settings: defaultSettings(), notices: [] });
    expect(defaultSettings()).toMatchObject({
      sessions: {
        hibernateAfterSeconds: 60,
        unresponsiveAfterSeconds: 20,
        capacity: 8,
        defaultMode: 'default',
      },
      prompts: { expireAfterSeconds: 86_400 },
      bridge: { port: 0, host: '127.0.0.1' },
      permissions: { allow: [], ask: [], deny: [] },
      budgets: { dayUsd: 5, sessionDayTokens: 2_000_000 },
      env: { pass: [] },
      logs: { level: 'info' },
    });
  });

  it('keep their other members when one is given', () => {
    expect(parseSettings({ sessions: { capacity: 2 } }).settings.sessions).toMatchObject({
      capacity: 2,
      hibernateAfterSeconds: 60,
      unresponsiveAfterSeconds: 20,
    });
  });

  it.each([null, 7, 'text', [], undefined])(
    'of a file that holds %j are the defaults, with a word',
    (file) => {
      const { settings, notices } = parseSettings(file);
      expect(settings).toEqual(defaultSettings());
      expect(notices).toHaveLength(1);
    },
  );

  it.each([
    ['a wrong type', { sessions: { capacity: 'many' } }, /section "sessions".*sessions\.capacity/],
    ['a number out of range', { bridge: { port: 99_999 } }, /section "bridge".*bridge\.port/],
    ['an address of the world', { bridge: { host: '0.0.0.0' } }, /section "bridge"/],
    ['a section that is no object', { logs: 'loud' }, /section "logs"/],
    ['zero sessions', { sessions: { capacity: 0 } }, /section "sessions"/],
    ['a negative limit', { budgets: { dayUsd: -1 } }, /section "budgets"/],
    ['an unknown key', { sesions: {} }, /"sesions" is not known/],
    [
      'a retired key',
      { hibernateAfter: 5 },
      /"hibernateAfter" has moved to "sessions.hibernateAfterSeconds"/,
    ],
    ['a key named like a built-in', { constructor: {} }, /"constructor" is not known/],
  ])('with %s say so and hold their defaults', (_title, file, notice) => {
    const { settings, notices } = parseSettings(file);
    expect(settings).toEqual(defaultSettings());
    expect(notices.join('\n')).toMatch(notice);
  });

  it('with one bad section take the others', () => {
    const { settings, notices } = parseSettings({ logs: { level: 'loud' }, sessions: { capacity: 3 } });
    expect([settings.sessions.capacity, settings.logs.level, notices.length]).toEqual([3, 'info', 1]);
  });

  it('with bad permissions ask for everything rather than revert', () => {
    const { settings, notices } = parseSettings({ permissions: { deny: 'Bash' } });
    expect(settings.permissions).toEqual({ allow: [], ask: ['*'], deny: [] });
    expect(notices[0]).toMatch(/every tool asks/);
  });

  it('never let members of the prototype in', () => {
    const file = JSON.parse('{"__proto__": {"permissions": {"allow": ["Bash"]}}}') as unknown;
    expect(parseSettings(file).settings.permissions.allow).toEqual([]);
  });

  it('say how people read, and where the web is searched', () => {
    const search = { url: 'http://127.0.0.1:8888/search?q={query}&format=json', keyEnv: 'SEARCH_KEY' };
    const file = { defaultView: 'chat', brief: { enabled: false }, web: { search } };
    const wrong = { defaultView: 'loud', web: { search: { url: 'ftp://a/{query}' } } };
    const { settings, notices } = parseSettings(wrong);
    expect([
      parseSettings(file),
      [settings.defaultView, settings.web, settings.brief],
      notices.map((notice) => /"(\w+)" is ignored/.exec(notice)?.[1]),
    ]).toEqual([
      {
        settings: expect.objectContaining({
          defaultView: 'chat',
          brief: { enabled: false },
          web: { search: { ...search, shape: 'searxng' } },
        }),
        notices: [],
      },
      ['transcript', {}, { enabled: true }],
      ['defaultView', 'web'],
    ]);
  });
});
