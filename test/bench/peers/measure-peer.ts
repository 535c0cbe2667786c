import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuOf, memoryOf, processTree } from '../../support/real/processes.ts';
import { median } from '../../support/samples.ts';
import { type InstantModel, startInstantModel } from '../support/instant-model.ts';
import { claude } from './claude.ts';
import { opencode } from './opencode.ts';
import type { Peer, RunningPeer } from './peer.ts';
import { pi } from './pi.ts';
import { peerFolder } from './place.ts';
import type { Measure, PeerName } from './published.ts';

/** What this run measured of a peer. */
export type PeerFigures = { readonly [Name in Measure]?: number };

const peers: readonly Peer[] = [pi, claude, opencode];
const turnsPerPeer = 50;
const starts = 5;

interface PeerTurn {
  readonly toRequest: number;
  readonly toVisible: number;
  readonly between: number;
  readonly whole: number;
  readonly bytes: number;
  readonly characters: number;
}

/** One turn with `requests` main requests. */
async function oneTurn(
  running: RunningPeer,
  model: InstantModel,
  text: string,
  requests: number,
): Promise<PeerTurn> {
  const sent = performance.now();
  const ended = running.turn(text).then(() => performance.now());
  // A turn that fails ends the wait for requests that will not come.
  const next = async () => Promise.race([model.next(), ended.then(() => never(text))]);
  const first = await next();
  const last = requests > 1 ? await next() : first;
  const visible = await ended;
  return {
    toRequest: first.at - sent,
    toVisible: visible - (await last.lastByte),
    between: last.at - (await first.lastByte),
    whole: visible - sent,
    bytes: first.bytes,
    characters: first.body.length,
  };
}

/** Gives the model's side time to hand over what came just before the end. */
async function never(text: string): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  throw new Error(`"${text}" ended without the requests that it should have made`);
}

async function series(
  running: RunningPeer,
  model: InstantModel,
  text: string,
  [times, requests]: readonly [number, number],
): Promise<PeerTurn[]> {
  const turns: PeerTurn[] = [];
  for (let index = 0; index < times; index += 1) turns.push(await oneTurn(running, model, text, requests));
  return turns;
}

async function firstTurns(peer: Peer, folder: string): Promise<{ ready: number; turn: PeerTurn }[]> {
  const samples: { ready: number; turn: PeerTurn }[] = [];
  for (let index = 0; index < starts; index += 1)
    await withPeer(peer, folder, async (running, model, ready) => {
      samples.push({ ready, turn: await oneTurn(running, model, 'hello', 1) });
    });
  return samples;
}

async function withPeer(
  peer: Peer,
  folder: string,
  body: (running: RunningPeer, model: InstantModel, ready: number) => Promise<void>,
): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'peer-'));
  const model = await startInstantModel();
  try {
    const began = performance.now();
    const running = await peer.start({ folder, home, modelUrl: model.url });
    const ready = performance.now() - began;
    try {
      await body(running, model, ready);
    } finally {
      await running.stop();
    }
  } finally {
    await model.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function measure(peer: Peer): Promise<PeerFigures> {
  const folder = await peerFolder(peer);
  const first = await firstTurns(peer, folder);
  const figures: { -readonly [Name in Measure]?: number } = {
    'first turn after start': median(first.map(({ turn }) => turn.whole)),
    'first request': median(first.map(({ turn }) => turn.bytes)),
    'size of the first request': median(first.map(({ turn }) => turn.characters)) / 4,
  };
  if (peer.name !== 'claude') figures['start -> ready'] = median(first.map(({ ready }) => ready));
  await withPeer(peer, folder, async (running, model) => {
    await oneTurn(running, model, 'hello', 1);
    const before = cpuOf(processTree(running.pid));
    const turns = await series(running, model, 'hello', [turnsPerPeer, 1]);
    const tree = processTree(running.pid);
    figures['CPU per turn'] = (cpuOf(tree) - before) / turnsPerPeer;
    figures['memory after 50 turns'] = memoryOf(tree) / 1024 / 1024;
    figures['message -> model request'] = median(turns.map(({ toRequest }) => toRequest));
    figures['last byte -> visible'] = median(turns.map(({ toVisible }) => toVisible));
    const calls = await series(running, model, 'hello [[tool]]', [7, 2]);
    figures['tool call -> next request'] = median(calls.map(({ between }) => between));
  });
  return figures;
}

/** Measures every peer that is installed or can be, one after the other; `say` gets a line for each that cannot. */
export async function measurePeers(say: (line: string) => void): Promise<Map<PeerName, PeerFigures>> {
  const measured = new Map<PeerName, PeerFigures>();
  for (const peer of peers) {
    try {
      measured.set(peer.name, await measure(peer));
    } catch (error) {
      const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      say(`peers: ${peer.name} could not be measured (${why}); its column is the published one.`);
    }
  }
  say('peers: openclaw is not run (a gateway with channels of its own); its column is the published one.');
  return measured;
}
