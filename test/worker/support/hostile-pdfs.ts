import { deflateSync } from 'node:zlib';

/** A PDF of these objects (1 is the catalog), as bytes; the table of objects is true. */
function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')];
  const offsets: number[] = [];
  let at = parts[0]?.length ?? 0;
  const add = (part: string | Buffer): void => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(at);
    add(`${index + 1} 0 obj\n`);
    add(object);
    add('\nendobj\n');
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = at;
  add(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`);
  add(
    `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`.replaceAll(
      'START',
      String(start),
    ),
  );
  return new Uint8Array(Buffer.concat(parts));
}

function stream(content: Buffer, more: string): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${content.length} ${more} >>\nstream\n`, 'latin1'),
    content,
    Buffer.from('\nendstream', 'latin1'),
  ]);
}

const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
const onePage = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const page = (resources = ''): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << ${resources} >> >>`;

/** PDFs made to hang or to fill whoever reads them, by what they do. */
export function hostilePdfs(): Readonly<Record<string, Uint8Array>> {
  const bomb = deflateSync(deflateSync(Buffer.alloc(400 * 1024 * 1024, ' ')));
  const pages = Array.from({ length: 100_000 }, () => page());
  const kids = pages.map((_page, index) => `${index + 3} 0 R`).join(' ');
  const form = (content: string): Buffer =>
    stream(
      Buffer.from(content),
      '/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>',
    );
  const nested = Array.from({ length: 24 }, (_form, index) =>
    stream(
      Buffer.from('/F Do /F Do'),
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${index + 6} 0 R >> >>`,
    ),
  );
  const drawsForm = stream(Buffer.from('/F Do'), '');
  const hasForm = page('/XObject << /F 5 0 R >>');
  return {
    'content of 400 MB': pdfOf([
      catalog,
      onePage,
      page(),
      stream(bomb, '/Filter [/FlateDecode /FlateDecode]'),
    ]),
    '100,000 pages': pdfOf([catalog, `<< /Type /Pages /Kids [${kids}] /Count 100000 >>`, ...pages]),
    'pages that hold themselves': pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 9 >>']),
    'a form that draws itself': pdfOf([catalog, onePage, hasForm, drawsForm, form('/F Do /F Do')]),
    'forms that double 24 times': pdfOf([catalog, onePage, hasForm, drawsForm, ...nested, form('q Q')]),
    'a table before itself': pdfOf([catalog, onePage, page(), stream(Buffer.from(''), '')], '/Prev START'),
    'arrays in arrays': pdfOf([catalog, `<< /Type /Pages /Kids ${'['.repeat(200_000)} /Count 1 >>`]),
    'operators without end': pdfOf([
      catalog,
      onePage,
      page(),
      stream(Buffer.from('q '.repeat(4_000_000)), ''),
    ]),
    'a count that is none': pdfOf([catalog, '<< /Type /Pages /Kids [] /Count 1e12 >>']),
  };
}
