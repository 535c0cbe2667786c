import { followHome, followSession } from '../viewers/support/follower.ts';
import { makeSession, receive } from '../viewers/support/history.ts';
import { topicConformance } from './topic-conformance.ts';

topicConformance('home', async (bridge) => ({
  topic: 'home',
  follow: () => followHome(bridge),
  change: (n) => makeSession(bridge.store, `s${n}`),
  strangePlace: { epoch: 'of another daemon', seq: 1 },
}));

topicConformance('session', async (bridge) => {
  const { id } = await makeSession(bridge.store, 'shop');
  return {
    topic: `session:${id}`,
    follow: () => followSession(bridge, id),
    change: (n) => receive(bridge.store, id, `message-${n}`),
    strangePlace: { epoch: '', seq: 1_000_000 },
  };
});
