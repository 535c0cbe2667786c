import { selfOrigin, viewersRoute } from '../../shared/domain/origin-route.ts';
import { chat, stranger } from '../store/support/acts.ts';
import { wakeConformance } from './wake-conformance.ts';

wakeConformance('a fake channel', {
  give: (store, session, n, at) =>
    store.admitWake({
      session,
      kind: 'channel',
      mode: 'after_turn',
      origin: stranger,
      route: chat,
      dedupeKey: `channel:${n}`,
      text: `reason ${n}`,
      ...(at === undefined ? {} : { availableAt: at }),
    }),
});

wakeConformance('a fake schedule', {
  give: (store, session, n, at) =>
    store.admitWake({
      session,
      kind: 'schedule',
      mode: 'after_turn',
      origin: selfOrigin,
      route: viewersRoute,
      dedupeKey: `schedule:job:${n}`,
      text: `reason ${n}`,
      ...(at === undefined ? {} : { availableAt: at }),
    }),
});
