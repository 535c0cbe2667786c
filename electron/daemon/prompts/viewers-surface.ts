import { promptKindSchema } from '../../../shared/domain/prompts.ts';
import type { Surface } from './surface.ts';

/** The bridge as a surface: every viewer and the CLI see the whole prompt in topic `home`, so an offer is shown once stored. */
export const viewersSurface: Surface = {
  id: 'viewers',
  traits: {
    kinds: promptKindSchema.options,
    maxShown: null,
    provesSender: true,
    scopes: ['once', 'session', 'always'],
  },
  offer: ({ text }) => Promise.resolve({ shown: text.length, externalId: null }),
  settled: () => Promise.resolve(),
};
