import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Place } from '../../shared/protocol/bridge.ts';
import { type BridgeUnderTest, startBridge } from '../viewers/support/bridge-under-test.ts';
import type { Follower } from '../viewers/support/follower.ts';

/** One topic of a bridge that listens, and acts that change what it shows. */
export interface TopicUnderTest<View> {
  readonly topic: string;
  follow(): Follower<View>;
  /** Changes something that the topic shows; `n` differs each time. */
  change(n: number): Promise<unknown>;
  /** A place that this daemon never gave. */
  readonly strangePlace: Place;
}

type Make<View> = (bridge: BridgeUnderTest) => Promise<TopicUnderTest<View>>;

/** What every topic promises its viewers: a snapshot with its place, then each change once, and a way back. */
export function topicConformance<View>(name: string, make: Make<View>): void {
  describe(`topic ${name}`, () => {
    following(make);
    subscribing(make);
  });
}

/** What a viewer sees that comes only now. */
async function whole<View>({ follow }: TopicUnderTest<View>): Promise<View> {
  const fresh = follow();
  await fresh.connect();
  const view = await fresh.until(() => true);
  fresh.cut();
  return view;
}

function reaches<View>(follower: Follower<View>, wanted: View): Promise<View> {
  return follower.until((view) => isDeepStrictEqual(view, wanted));
}

function following<View>(make: Make<View>): void {
  it('is whole by its snapshot and the tail after it', async () => {
    const subject = await make(await startBridge());
    await subject.change(1);
    const viewer = subject.follow();
    await viewer.connect();
    await viewer.until(() => true);
    await subject.change(2);
    await subject.change(3);
    const wanted = await whole(subject);
    expect([await reaches(viewer, wanted), viewer.starts]).toEqual([wanted, ['snapshot']]);
    viewer.cut();
  });

  it('goes on from the last place after an absence, with each change once and in order', async () => {
    const subject = await make(await startBridge());
    const viewer = subject.follow();
    await viewer.connect();
    await viewer.until(() => true);
    await subject.change(1);
    await reaches(viewer, await whole(subject));
    viewer.cut();
    await subject.change(2);
    await viewer.connect();
    const wanted = await whole(subject);
    const view = await reaches(viewer, wanted);
    expect([view, viewer.starts, viewer.seqs]).toEqual([
      wanted,
      ['snapshot', 'resumed'],
      [...new Set(viewer.seqs)].sort((left, right) => left - right),
    ]);
    viewer.cut();
  });
}

function subscribing<View>(make: Make<View>): void {
  it('starts anew with a snapshot from a place that it does not know', async () => {
    const bridge = await startBridge();
    const subject = await make(bridge);
    await subject.change(1);
    const client = await bridge.viewer();
    client.send({ type: 'subscribe', topic: subject.topic, from: subject.strangePlace });
    const { place } = await client.until('snapshot');
    expect(place).not.toEqual(subject.strangePlace);
  });

  it('is silent for a viewer that left it', async () => {
    const bridge = await startBridge();
    const subject = await make(bridge);
    const client = await bridge.viewer();
    client.send({ type: 'subscribe', topic: subject.topic });
    await client.until('snapshot');
    client.send({ type: 'unsubscribe', topic: subject.topic });
    client.send({ type: 'ping', n: 1 });
    await client.until('pong', ({ n }) => n === 1);
    const before = client.frames.length;
    await subject.change(1);
    await whole(subject);
    client.send({ type: 'ping', n: 2 });
    await client.until('pong', ({ n }) => n === 2);
    expect(client.frames.slice(before).map(({ type }) => type)).toEqual(['pong']);
  });
}
