/** A PDF with one page per text, uncompressed. */
export function samplePdf(pages: readonly string[]): Uint8Array {
  const kids = pages.map((_page, index) => `${4 + 2 * index} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, index) => {
      const content = text === '' ? '' : `BT /F1 12 Tf 10 100 Td (${text}) Tj ET`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents ${5 + 2 * index} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  return assembled(objects, '');
}

/** A PDF that asks for a password. */
export function encryptedPdf(): Uint8Array {
  const zeros = '0'.repeat(64);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [] /Count 0 >>',
    `<< /Filter /Standard /V 1 /R 2 /O <${zeros}> /U <${zeros}> /P -4 >>`,
  ];
  return assembled(
    objects,
    '/Encrypt 3 0 R /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]',
  );
}

function assembled(objects: readonly string[], trailer: string): Uint8Array {
  let out = '%PDF-1.4\n';
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(out.length);
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = out.length;
  out += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  out += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(out, 'latin1');
}

/** A PNG of 1 x 1 pixel, or one whose header says another size. */
export function samplePng(width = 1, height = 1): Uint8Array {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return new Uint8Array(png);
}

/** A GIF's beginning with this size. */
export function sampleGif(width: number, height: number): Uint8Array {
  const gif = Buffer.alloc(20);
  gif.write('GIF89a', 'latin1');
  gif.writeUInt16LE(width, 6);
  gif.writeUInt16LE(height, 8);
  return new Uint8Array(gif);
}

/** A JPEG's beginning: a segment to walk over, a fill byte, a progressive frame header of this size. */
export function sampleJpeg(width: number, height: number): Uint8Array {
  const size = [height >> 8, height & 255, width >> 8, width & 255];
  return Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc2, 0, 17, 8, ...size, 3]);
}

/** A WebP's beginning in the lossy, lossless or extended form. */
export function sampleWebp(form: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Uint8Array {
  const webp = Buffer.alloc(40);
  webp.write('RIFF', 0, 'latin1');
  webp.write(`WEBP${form}`, 8, 'latin1');
  if (form === 'VP8 ') {
    webp.writeUInt16LE(width, 26);
    webp.writeUInt16LE(height, 28);
  } else if (form === 'VP8L') {
    webp.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    webp.writeUIntLE(width - 1, 24, 3);
    webp.writeUIntLE(height - 1, 27, 3);
  }
  return new Uint8Array(webp);
}
