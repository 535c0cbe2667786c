import { afterEach } from 'vitest';
import type { Script } from '../../support/models/script.ts';
import type { ModelServer } from '../../support/models/server.ts';
import { startModelServer } from '../../support/models/start.ts';

const servers: ModelServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** A server that answers with these scripts in order; closed after the test. */
export async function serving(
  wire: ModelServer['wire'],
  ...scripts: readonly Script[]
): Promise<ModelServer> {
  const server = await startModelServer(wire);
  servers.push(server);
  server.enqueue(...scripts);
  return server;
}

/** What came of a body, and whether its connection broke before the end. */
export async function readAll(response: Response): Promise<{ text: string; broken: boolean }> {
  let got = '';
  try {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) got += chunk;
    return { text: got, broken: false };
  } catch {
    // The broken connection is what the test looks for.
    return { text: got, broken: true };
  }
}
