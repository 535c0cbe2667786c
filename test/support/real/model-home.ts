import type { ModelServer } from '../models/server.ts';
import { type ModelServerOptions, startModelServer } from '../models/start.ts';
import type { Wire } from '../models/wire.ts';
import { type Kairos, type KairosOptions, startKairos } from './kairos.ts';

/** What a home with a model stand-in is made of. */
export interface ModelHomeOptions extends KairosOptions {
  readonly server?: ModelServerOptions;
}

/** A ready home whose sessions ask a stand-in; `dispose` ends both. */
export interface ModelHome {
  readonly kairos: Kairos;
  readonly server: ModelServer;
  /** The model that sessions get: `<wire>/stand-in-large`. */
  readonly ref: string;
  dispose(): Promise<void>;
}

/** The environment in which a daemon finds a stand-in, as a person would set it: a key and an address, no model. */
export function modelEnvironment(server: ModelServer): Readonly<Record<string, string>> {
  const name = server.wire.toUpperCase();
  return {
    [`${name}_API_KEY`]: server.apiKey ?? 'none',
    [`${name}_BASE_URL`]: server.wire === 'anthropic' ? server.url : server.baseUrl,
    KAIROS_MODEL: `${server.wire}/stand-in-large`,
  };
}

/** Starts a stand-in and a home whose daemon uses it. */
export async function startModelHome(
  wire: Wire['name'],
  { server: serverOptions = {}, env = {}, ...rest }: ModelHomeOptions = {},
): Promise<ModelHome> {
  const server = await startModelServer(wire, serverOptions);
  try {
    const kairos = await startKairos({ ...rest, env: { ...modelEnvironment(server), ...env } });
    return {
      kairos,
      server,
      ref: `${wire}/stand-in-large`,
      async dispose() {
        try {
          await kairos.dispose();
        } finally {
          await server.close();
        }
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
