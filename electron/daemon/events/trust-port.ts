import type { AnsweredBy } from '../../../shared/domain/prompts.ts';
import type { PromptRow, TrustRow } from './rows.ts';

/** A word on the executable configuration of a directory; `config`: what was shown. */
export interface NewTrust {
  readonly dir: string;
  readonly digest: string;
  readonly trusted: boolean;
  readonly config: string;
  readonly by: AnsweredBy;
}

/** A question about the configuration of a directory that a session began to work in; `lifeMs` until it counts as refused. */
export interface AskTrust {
  readonly session: string;
  readonly dir: string;
  readonly digest: string;
  readonly headline: string;
  /** The whole configuration, with what changed. */
  readonly preview: string;
  /** What is dangerous about it, one short sentence each. */
  readonly risks?: readonly string[];
  readonly lifeMs: number;
}

/** The part of the store that knows which directories' own rules, hooks and variables hold (design 32). */
export interface TrustVerbs {
  /**
   * Opens the question unless it is open, or answered for that very digest (null then). One about another digest of the directory
   * is withdrawn. The session goes on meanwhile.
   */
  askTrust(input: AskTrust): Promise<PromptRow | null>;
  /** Stores a word that was given without a question; an open question about the directory is withdrawn. */
  setTrust(input: NewTrust): Promise<TrustRow>;
  /** Trusted configuration is refused from now on, until it is another one; false when it is not trusted. */
  revokeTrust(dir: string, by: AnsweredBy): Promise<boolean>;
  /** The word on a directory, whatever its digest is now. */
  trust(dir: string): Promise<TrustRow | null>;
  /** Every word, newest first. */
  trusts(): Promise<readonly TrustRow[]>;
}
