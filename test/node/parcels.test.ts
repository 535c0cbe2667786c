import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Parcels, removeParcels, sweepParcels } from '../../electron/node/parcels.ts';
import { temporaryFolder } from './support/processes.ts';

const maxInline = 1000;
const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

function setUp() {
  const home = temporaryFolder();
  const folder = join(home, 'parcels', 'link');
  return { home, folder, parcels: new Parcels(folder, maxInline) };
}

/** Puts a file where a parcel would be and gives the frame that stands for it. */
function parcel(folder: string, content: string, change: object = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, sha256(content)), content);
  return { type: 'parcel', sha256: sha256(content), bytes: Buffer.byteLength(content), ...change };
}

describe('a frame that is small enough', () => {
  test.each([
    ['of one byte characters', 'x'.repeat(maxInline - 11)],
    ['of three byte characters', '\u4e2d'.repeat(329)],
  ])('%s goes as it is, and no folder is made', (_what, text) => {
    const { folder, parcels } = setUp();
    const frame = { text };
    expect([parcels.pack(frame), parcels.unpack(frame), existsSync(folder)]).toEqual([frame, frame, false]);
  });
});

describe('a larger frame', () => {
  test('is a file for its owner only that is named by its hash, and is gone once it was read', () => {
    const { folder, parcels } = setUp();
    const frame = { type: 'ask', text: 'x'.repeat(maxInline) };
    const packed = parcels.pack(frame);
    const name = sha256(JSON.stringify(frame));
    const modes = [folder, join(folder, name)].map((path) => statSync(path).mode & 0o777);
    expect([packed, readdirSync(folder), modes]).toEqual([
      { type: 'parcel', sha256: name, bytes: JSON.stringify(frame).length },
      [name],
      [0o700, 0o600],
    ]);
    expect([parcels.unpack(packed), readdirSync(folder)]).toEqual([frame, []]);
  });

  test('of 64 MB and more is refused, and nothing is written', () => {
    const { folder, parcels } = setUp();
    const frame = { text: 'x'.repeat(64 * 1024 * 1024) };
    expect(() => parcels.pack(frame)).toThrow(expect.objectContaining({ code: 'too_large' }));
    expect(existsSync(folder)).toBe(false);
  });

  test('that cannot be written is refused with the reason, and leaves nothing', () => {
    const { home } = setUp();
    writeFileSync(join(home, 'file'), '');
    const parcels = new Parcels(join(home, 'file', 'link'), maxInline);
    const frame = { text: 'x'.repeat(maxInline) };
    expect(() => parcels.pack(frame)).toThrow(expect.objectContaining({ code: 'parcel_not_written' }));
    expect(readdirSync(home)).toEqual(['file']);
  });

  test('that comes without a parcel is not taken', () => {
    const { parcels } = setUp();
    const frame = { text: 'x'.repeat(maxInline) };
    expect(() => parcels.unpack(frame)).toThrow(expect.objectContaining({ code: 'frame_too_large' }));
  });
});

describe('a forged parcel is a typed fault', () => {
  const json = JSON.stringify({ type: 'mode' });
  const cases: [string, string, (folder: string) => unknown][] = [
    [
      'with other content',
      'parcel_forged',
      (folder) => {
        const frame = parcel(folder, json);
        writeFileSync(join(folder, frame.sha256), json.replace('mode', 'stop'));
        return frame;
      },
    ],
    ['of another size', 'parcel_forged', (folder) => parcel(folder, json, { bytes: json.length + 1 })],
    ['that is missing', 'parcel_missing', () => ({ type: 'parcel', sha256: sha256('x'), bytes: 1 })],
    [
      'whose file is a link',
      'parcel_missing',
      (folder) => {
        mkdirSync(folder, { recursive: true });
        writeFileSync(join(folder, '..', 'secret'), json);
        symlinkSync('../secret', join(folder, sha256(json)));
        return { type: 'parcel', sha256: sha256(json), bytes: json.length };
      },
    ],
    [
      'whose file is a folder',
      'parcel_forged',
      (folder) => {
        mkdirSync(join(folder, sha256(json)), { recursive: true });
        return { type: 'parcel', sha256: sha256(json), bytes: json.length };
      },
    ],
    ['that names a path', 'parcel_malformed', (folder) => parcel(folder, json, { sha256: '../secret' })],
    [
      'with a hash in capitals',
      'parcel_malformed',
      (folder) => parcel(folder, json, { sha256: sha256(json).toUpperCase() }),
    ],
    [
      'of more than 64 MB',
      'parcel_malformed',
      (folder) => parcel(folder, json, { bytes: 64 * 1024 * 1024 + 1 }),
    ],
    ['without a size', 'parcel_malformed', (folder) => parcel(folder, json, { bytes: undefined })],
    ['that is not JSON', 'parcel_malformed', (folder) => parcel(folder, 'not JSON')],
    [
      'with a parcel inside',
      'parcel_malformed',
      (folder) => parcel(folder, JSON.stringify({ type: 'parcel' })),
    ],
  ];
  test.each(cases)('%s', (_what, code, make) => {
    const { home, folder, parcels } = setUp();
    mkdirSync(join(home, 'parcels'), { recursive: true });
    const frame = make(folder);
    expect(() => parcels.unpack(frame)).toThrow(expect.objectContaining({ name: 'ParcelError', code }));
  });
});

test('what was left is swept, whatever it is', () => {
  const { home, folder, parcels } = setUp();
  parcels.pack({ text: 'x'.repeat(maxInline) });
  writeFileSync(join(home, 'kept'), 'kept');
  symlinkSync(join(home, 'kept'), join(home, 'parcels', 'link-to-it'));
  expect([sweepParcels(join(home, 'parcels')), readdirSync(join(home, 'parcels'))]).toEqual([2, []]);
  removeParcels(folder);
  expect(readFileSync(join(home, 'kept'), 'utf8')).toBe('kept');
});
