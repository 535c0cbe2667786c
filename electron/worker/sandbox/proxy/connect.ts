import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { errorCode, errorMessage, KairosError } from '../../../../shared/base/errors.ts';
import { isPublicAddress, publicAddress, type Resolve } from '../../tools/web/public-address.ts';
import { type NetworkRules, plainHost, reachOf } from './allowed-host.ts';

/** What the proxy of one command may do. */
export interface ProxyTerms {
  readonly rules: NetworkRules;
  readonly resolve: Resolve;
  /** Ports of this machine that nothing reaches, whatever the rules say: that of Kairos's own bridge. */
  readonly forbiddenPorts: () => Promise<readonly number[]>;
  /** Told once per refused or unreachable host, one clause for the model. */
  readonly refused: (why: string) => void;
}

/** A connection to a host that the rules allow, at an address that was checked. Rejects with KairosError `refused` or `unreachable`. */
export async function connectAllowed(host: string, port: number, terms: ProxyTerms): Promise<Socket> {
  try {
    const { address } = await allowedAddress(host, port, terms);
    return await opened(address, port);
  } catch (error) {
    const refusal = asRefusal(error, host, port);
    terms.refused(refusal.message);
    throw refusal;
  }
}

async function allowedAddress(
  host: string,
  port: number,
  { rules, resolve, forbiddenPorts }: ProxyTerms,
): Promise<{ readonly address: string }> {
  const reach = reachOf(host, port, rules);
  if (reach === null || port < 1 || port > 65_535)
    throw new KairosError('refused', `${host}:${port} is not in sandbox.network.allow`);
  if (reach === 'public') return publicAddress(plainHost(host), resolve, isPublicAddress);
  if ((await forbiddenPorts()).includes(port))
    throw new KairosError('refused', `${host}:${port} belongs to Kairos itself`);
  const plain = plainHost(host);
  return { address: plain.endsWith('localhost') ? '127.0.0.1' : plain };
}

async function opened(address: string, port: number): Promise<Socket> {
  const socket = connect({ host: address, port });
  await once(socket, 'connect');
  // It may fail before anybody carries bytes over it.
  socket.on('error', () => socket.destroy());
  return socket;
}

function asRefusal(error: unknown, host: string, port: number): KairosError {
  const code = errorCode(error);
  if (code === 'refused') return error as KairosError;
  if (code === 'not_public')
    return new KairosError('refused', `${host}:${port} leads into a private network`);
  return new KairosError('unreachable', `${host}:${port} does not answer: ${errorMessage(error)}`, {
    cause: error,
  });
}
