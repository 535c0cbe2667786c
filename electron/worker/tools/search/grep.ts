import * as z from 'zod/mini';
import { visibleText } from '../../../../shared/base/visible-text.ts';
import { defineTool, failed, type ToolContext } from '../tool.ts';
import { ClosedFiles } from './closed-files.ts';
import { GrepRecords } from './grep-records.ts';
import { runRipgrep } from './ripgrep.ts';
import { searchResult } from './search-end.ts';
import { movedPlace, type SearchPlace, searchArgs, searchPlace } from './search-place.ts';

const count = z.int().check(z.gte(0), z.lte(100));
const text = z.string().check(z.minLength(1), z.maxLength(10_000));

const schema = z.object({
  pattern: text,
  path: z.optional(z.string()),
  glob: z.optional(text),
  type: z.optional(text),
  output_mode: z.optional(z.enum(['content', 'files_with_matches', 'count'])),
  '-i': z.optional(z.boolean()),
  '-n': z.optional(z.boolean()),
  '-A': z.optional(count),
  '-B': z.optional(count),
  '-C': z.optional(count),
  multiline: z.optional(z.boolean()),
  head_limit: z.optional(z.int().check(z.gte(1), z.lte(2_000))),
});
type Input = z.infer<typeof schema>;

/** Searches the content of files with a regular expression. */
export const grepTool = defineTool({
  name: 'Grep',
  description:
    'Searches file contents with a regular expression (ripgrep syntax). output_mode: files_with_matches (default), content (lines with numbers; -A, -B, -C for context) or count. path: file or directory; glob (*.ts) or type (js) choose files. Git-ignored and binary files are left out. At most head_limit (250) lines.',
  schema,
  hot: true,
  class: 'pure',
  access: 'read',
  async look(input, context) {
    const nul = [input.pattern, input.glob, input.type].some((value) => value?.includes('\0'));
    if (nul) return 'pattern, glob and type must not contain a NUL character';
    if (input.glob?.startsWith('!') === true && input.glob.length === 1) return 'the glob is empty';
    const place = await searchPlace(input.path, context);
    if (typeof place === 'string') return place;
    const { cwd, root, paths } = place;
    const preview = visibleText(`${input.pattern}\nin ${root}`);
    return { cwd, subject: root, paths: [...paths], preimages: [], preview, description: '' };
  },
  async act(input, { subject: root }, context, signal) {
    const moved = await movedPlace(root);
    if (moved !== null) return failed(moved);
    const place = await searchPlace(root, context);
    return typeof place === 'string' ? failed(place) : search(input, place, context, signal);
  },
});

async function search(
  input: Input,
  place: SearchPlace,
  context: ToolContext,
  signal: Parameters<typeof runRipgrep>[1],
) {
  const { cwd, leaveOut, target } = await searchArgs(place, context.home);
  const mode = input.output_mode ?? 'files_with_matches';
  const closed = new ClosedFiles(context);
  const records = new GrepRecords(place, mode, input.head_limit ?? 250, closed);
  const args = [...grepArgs(input), ...leaveOut, `--regexp=${input.pattern}`, '--', target];
  const separator = mode === 'files_with_matches' ? '\0' : '\n';
  const take = (record: string): boolean => records.add(record);
  const end = await runRipgrep({ args, cwd, separator, take }, signal, context.clock);
  return searchResult('Grep', end, {
    lines: records.lines,
    none: `nothing in ${place.root} matches`,
    more: records.more,
    notes: closed.notes,
  });
}

/** The order of paths makes what is shown the same each time. */
function grepArgs(input: Input): string[] {
  const args = ['--sort=path', '--null', '--with-filename', '--no-heading'];
  const mode = input.output_mode ?? 'files_with_matches';
  if (mode === 'files_with_matches') args.push('--files-with-matches');
  else if (mode === 'count') args.push('--count-matches');
  else args.push(...contentArgs(input));
  if (input['-i'] === true) args.push('--ignore-case');
  if (input.multiline === true) args.push('--multiline', '--multiline-dotall');
  if (input.glob !== undefined) args.push(`--glob=${input.glob}`);
  if (input.type !== undefined) args.push(`--type=${input.type}`);
  return args;
}

function contentArgs(input: Input): string[] {
  const args = ['--max-columns=1000', '--max-columns-preview'];
  args.push(input['-n'] === false ? '--no-line-number' : '--line-number');
  const around = input['-C'] ?? 0;
  args.push(`--after-context=${input['-A'] ?? around}`, `--before-context=${input['-B'] ?? around}`);
  return args;
}
