/** A line of a diff with its numbers in the file before and after; null where it is not in it. */
export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed' | 'note';
  readonly before: number | null;
  readonly after: number | null;
  readonly text: string;
}

/** The changes of one file. `path` is empty where the diff does not name it. */
export interface DiffFile {
  readonly path: string;
  readonly hunks: readonly (readonly DiffLine[])[];
}

/** What stands before the first file (a sentence, a note), and the files. Every line of the text is in it. */
export interface ParsedDiff {
  readonly intro: readonly string[];
  readonly files: readonly DiffFile[];
}

const hunkHead = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/;

/** True for a text with the head of a hunk in it. */
export function isUnifiedDiff(text: string): boolean {
  return /^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/m.test(text);
}

interface Open {
  path: string;
  hunks: DiffLine[][];
}

/** Reads a unified diff. What it cannot read as a line of a hunk is kept as a note, so that nothing decided on is hidden. */
export function parseDiff(text: string): ParsedDiff {
  const intro: string[] = [];
  const files: Open[] = [];
  let [before, after] = [0, 0];
  let isInHunk = false;
  const lines = text.replace(/\n$/, '').split('\n');
  for (const [index, line] of lines.entries()) {
    const head = hunkHead.exec(line);
    const startsFile = line.startsWith('--- ') && (lines[index + 1]?.startsWith('+++ ') ?? false);
    if (startsFile) {
      files.push({ path: pathOf(line), hunks: [] });
      isInHunk = false;
    } else if (!isInHunk && line.startsWith('+++ ') && files.at(-1)?.hunks.length === 0) {
      renamed(files.at(-1), pathOf(line));
    } else if (head !== null) {
      [before, after] = [Number(head[1]), Number(head[2])];
      isInHunk = true;
      openHunk(files, (head[3] ?? '').trim());
    } else if (isInHunk) {
      const next = readLine(line, before, after);
      if (next.before !== null) before += 1;
      if (next.after !== null) after += 1;
      files.at(-1)?.hunks.at(-1)?.push(next);
    } else if (files.length === 0) intro.push(line);
    else files.at(-1)?.hunks.push([{ kind: 'note', before: null, after: null, text: line }]);
  }
  return { intro, files };
}

function openHunk(files: Open[], where: string): void {
  if (files.length === 0) files.push({ path: '', hunks: [] });
  files.at(-1)?.hunks.push(where === '' ? [] : [{ kind: 'note', before: null, after: null, text: where }]);
}

function readLine(line: string, before: number, after: number): DiffLine {
  const [sign, text] = [line[0], line.slice(1)];
  if (sign === '+') return { kind: 'added', before: null, after, text };
  if (sign === '-') return { kind: 'removed', before, after: null, text };
  if (sign === ' ' || line === '') return { kind: 'same', before, after, text };
  return { kind: 'note', before: null, after: null, text: line };
}

/** The path of a `---` or `+++` line, without the date that some tools add; "" for no file. */
function pathOf(line: string): string {
  const path = line.slice(4).split('\t')[0] ?? '';
  return path === '/dev/null' ? '' : path;
}

/** The new name holds; where both differ in more than git's a/ and b/, both are told. */
function renamed(file: Open | undefined, path: string): void {
  if (file === undefined || path === '') return;
  const bare = (name: string): string => name.replace(/^[ab]\//, '');
  file.path = file.path === '' || bare(file.path) === bare(path) ? bare(path) : `${file.path} → ${path}`;
}

/** A row of the split view: what was and what is, side by side. */
export interface SplitRow {
  readonly left: DiffLine | null;
  readonly right: DiffLine | null;
}

/** Lines side by side: removed ones beside the added ones that follow them. */
export function splitRows(lines: readonly DiffLine[]): SplitRow[] {
  const rows: SplitRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      rows.push({ left: removed[index] ?? null, right: added[index] ?? null });
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      rows.push({ left: line, right: line });
    }
  }
  flush();
  return rows;
}
