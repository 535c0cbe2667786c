import type { PermissionMode } from '../../../shared/domain/sessions.ts';

/** What the steps have chosen so far; `model` null: the default one. */
export interface Wishes {
  readonly model: string | null;
  readonly dir: string;
  readonly mode: PermissionMode;
  readonly text: string;
}
