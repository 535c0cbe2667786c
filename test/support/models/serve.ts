import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { errorMessage } from '../../../shared/base/errors.ts';
import { lastUserText } from './ask.ts';
import { text } from './script.ts';
import type { Answer } from './server.ts';
import { startModelServer, wireNames } from './start.ts';

/*
 * A stand-in as a process, for a look by hand or for a program that is not a test:
 *   node test/support/models/serve.ts --wire anthropic --script answers.ts --port 4000 --key k --model stand-in-large
 * The script is a module that exports `answer` (a mind's, or a function). One line says the URL. Ends by SIGTERM.
 */
const usage = `Usage: node test/support/models/serve.ts [options]

  --wire ${wireNames.join('|')}  the API it speaks (anthropic)
  --script FILE            a module that exports "answer"; without one it repeats what it is told
  --port N                 0, the default, takes a free one
  --key KEY                the key it asks for (stand-in-key)
  --model NAME             a model it has; may be given more than once
  --help                   prints this

One line of JSON says its URL. It ends by SIGTERM.
`;
const options = {
  wire: { type: 'string', default: 'anthropic' },
  script: { type: 'string' },
  port: { type: 'string', default: '0' },
  key: { type: 'string' },
  model: { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
} as const;

const echo: Answer = (ask) => [text(`You said: ${lastUserText(ask)}`)];

function readArguments() {
  try {
    const { values } = parseArgs({ options });
    const wire = wireNames.find((name) => name === values.wire);
    if (wire === undefined) throw new Error(`--wire is one of ${wireNames.join(', ')}`);
    return { ...values, wire };
  } catch (error) {
    return { problem: errorMessage(error) };
  }
}

async function serve({ wire, script, port, key, model }: ServeOptions): Promise<void> {
  const module: { readonly answer?: Answer } =
    script === undefined ? {} : ((await import(pathToFileURL(script).href)) as { answer?: Answer });
  const server = await startModelServer(wire, {
    answer: module.answer ?? echo,
    port: Number(port),
    ...(key === undefined ? {} : { apiKey: key }),
    ...(model === undefined ? {} : { models: model }),
  });
  process.stdout.write(`${JSON.stringify({ wire, baseUrl: server.baseUrl })}\n`);
}

type ServeOptions = Exclude<ReturnType<typeof readArguments>, { problem: string }>;

const given = readArguments();
if ('problem' in given) {
  process.stderr.write(`${given.problem}\n\n${usage}`);
  process.exitCode = 2;
} else if (given.help) process.stdout.write(usage);
else await serve(given);
