/** The languages a person may command the engine in; it answers in the same. */
export type Language = 'en' | 'zh';

/** Commands that have a form to get wrong. */
export type CommandName = 'run' | 'read' | 'write' | 'edit' | 'find' | 'search' | 'ask' | 'sleep';

/** One line of a person's message as the engine understands it. */
export type Command = { readonly language: Language } & (
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'read'; readonly path: string }
  | { readonly kind: 'write'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly before: string; readonly after: string }
  | { readonly kind: 'find' | 'search'; readonly pattern: string; readonly path: string | null }
  | { readonly kind: 'ask'; readonly question: string; readonly options: readonly string[] }
  | { readonly kind: 'sleep'; readonly seconds: number; readonly said: string }
  | { readonly kind: 'help' }
  /** What Kairos itself says in the turn (a background task ended): passed on. */
  | { readonly kind: 'notice'; readonly text: string }
  /** A known command in a form that cannot be read. */
  | { readonly kind: 'usage'; readonly of: CommandName }
  /** A command of a later version. */
  | { readonly kind: 'later'; readonly verb: string }
  /** Anything else: needs a model. */
  | { readonly kind: 'other'; readonly text: string }
);
