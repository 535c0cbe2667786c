import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { lastUserText } from './ask.ts';
import { text } from './script.ts';
import type { Answer } from './server.ts';
import { startModelServer, wireNames } from './start.ts';

/*
 * A stand-in as a process, for a look by hand or for a program that is not a test:
 *   node test/support/models/serve.ts --wire anthropic --script answers.ts --port 4000 --key k --model stand-in-large
 * The script is a module that exports `answer` (a mind's, or a function). One line says the URL. Ends by SIGTERM.
 */
const { values } = parseArgs({
  options: {
    wire: { type: 'string', default: 'anthropic' },
    script: { type: 'string' },
    port: { type: 'string', default: '0' },
    key: { type: 'string' },
    model: { type: 'string', multiple: true },
  },
});
const wire = wireNames.find((name) => name === values.wire);
if (wire === undefined) throw new Error(`--wire is one of ${wireNames.join(', ')}`);

const echo: Answer = (ask) => [text(`You said: ${lastUserText(ask)}`)];
const module: { readonly answer?: Answer } =
  values.script === undefined
    ? {}
    : ((await import(pathToFileURL(values.script).href)) as { answer?: Answer });
const server = await startModelServer(wire, {
  answer: module.answer ?? echo,
  port: Number(values.port),
  ...(values.key === undefined ? {} : { apiKey: values.key }),
  ...(values.model === undefined ? {} : { models: values.model }),
});
process.stdout.write(`${JSON.stringify({ wire, baseUrl: server.baseUrl })}\n`);
