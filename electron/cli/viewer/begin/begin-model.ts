import type { ModelsAnswer } from '../../../../shared/protocol/bridge.ts';

/** A model that the set-up offers; `ref` undefined: what Kairos takes by itself. */
export interface ModelOffer {
  readonly ref: string | undefined;
  readonly words: string;
  readonly more?: string;
}

/** Models that are offered beside the default. */
const mostOffered = 8;

const automatic: ModelOffer = {
  ref: undefined,
  words: 'What is found',
  more: 'A key in the environment or a local server, else the built-in engine.',
};
const builtIn: ModelOffer = {
  ref: 'offline',
  words: 'Built-in engine, free',
  more: 'Plain commands (help lists them); nothing leaves this machine.',
};

/** What to offer: without a daemon nobody knows which models answer. The default comes first. */
export function modelOffers(answer: ModelsAnswer | null): readonly ModelOffer[] {
  if (answer === null) return [automatic, builtIn];
  const { ref } = answer.default;
  const others = answer.models
    .filter((model) => model.ref !== ref && model.ref !== 'offline')
    .slice(0, mostOffered);
  return [
    {
      ...(ref === 'offline' ? builtIn : {}),
      ref: undefined,
      words: `${ref === 'offline' ? builtIn.words : ref} (default)`,
    },
    ...others.map((model) => ({ ref: model.ref, words: model.ref })),
    ...(ref === 'offline' ? [] : [builtIn]),
  ];
}
