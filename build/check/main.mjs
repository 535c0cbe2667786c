import { prepareAndRun } from '../bootstrap/prepare.mjs';
import { root } from '../paths.mjs';
import { failuresOf, tool, typeChecks } from './commands.mjs';

const longestReport = 60;

// A check says which files are unformatted; how they should look is what `npm run format` does.
async function checkFormat() {
  const lines = await failuresOf(tool('biome'), ['format', '--colors=off', '--max-diagnostics=none']);
  const files = lines.filter((line) => line.includes(' format ━')).map((line) => line.split(' ')[0]);
  return files.length === 0 ? lines : files.map((file) => `${file}: not formatted (npm run format)`);
}

// Our own checkers import the parser from vite, which exists only once the packages are installed.
async function ownChecks() {
  const [{ readSources }, imports, cycles, lengths, forbidden, modules, docs, readmes] = await Promise.all([
    import('./sources.mjs'),
    import('./import-rules.mjs'),
    import('./cycles.mjs'),
    import('./lengths.mjs'),
    import('./forbidden.mjs'),
    import('./modules.mjs'),
    import('./doc-comments.mjs'),
    import('./readmes.mjs'),
  ]);
  const sources = readSources(root);
  return [
    { title: 'syntax', work: () => modules.checkSyntax(sources) },
    { title: 'imports', work: () => imports.checkImports(sources) },
    { title: 'cycles', work: () => cycles.checkCycles(sources) },
    { title: 'lengths', work: () => lengths.checkLengths(sources) },
    { title: 'forbidden calls', work: () => forbidden.checkForbidden(sources) },
    { title: 'barrels', work: () => modules.checkBarrels(sources) },
    { title: 'zod imports', work: () => modules.checkZodImports(sources) },
    { title: 'doc comments', work: () => docs.checkDocComments(sources) },
    { title: 'readmes', work: () => readmes.checkReadmes(root) },
  ];
}

function toolChecks() {
  return [
    { title: 'format', work: checkFormat },
    { title: 'lint', work: () => failuresOf(tool('oxlint'), ['--quiet', '--format=unix']) },
    ...typeChecks(),
  ];
}

async function report({ title, work }) {
  const started = performance.now();
  const result = await work();
  const { failures, note } = Array.isArray(result) ? { failures: result, note: '' } : result;
  const took = `${Math.round(performance.now() - started)} ms`;
  const state = failures.length === 0 ? 'ok  ' : 'FAIL';
  const lines = [
    `${state} ${title} (${took})${note === '' ? '' : `: ${note}`}`,
    ...failures.slice(0, longestReport).map((line) => `     ${line}`),
    ...(failures.length > longestReport
      ? [`     ... and ${failures.length - longestReport} lines more`]
      : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return failures.length === 0;
}

async function unitTests() {
  const { runVitest } = await import('../bootstrap/vitest.mjs');
  const { code } = await runVitest(['--project', 'unit'], 'dot');
  return code === 0;
}

// npm run check [-- --fast]: everything that needs no running process; --fast leaves the unit tests out.
await prepareAndRun(import.meta.url, async (args) => {
  // The tools run in processes of their own while this one parses and checks the sources.
  const tools = toolChecks().map(report);
  const results = [];
  for (const check of await ownChecks()) results.push(await report(check));
  results.push(...(await Promise.all(tools)));
  if (!args.includes('--fast')) results.push(await unitTests());
  const failed = results.filter((passed) => !passed).length;
  process.stdout.write(failed === 0 ? 'check: all good\n' : `check: ${failed} of ${results.length} failed\n`);
  process.exitCode = failed === 0 ? 0 : 1;
});
