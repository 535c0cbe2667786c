import { errorMessage, KairosError } from '../../../../shared/base/errors.ts';
import { attachmentLimits } from '../../../../shared/domain/attachments.ts';
import { isInside, type SelfProtection } from '../../../../shared/domain/permissions/self-protection.ts';
import type { LinkOutput } from '../../../../shared/protocol/worker-link.ts';
import type { Store } from '../../events/port.ts';

/** What keeping works with. */
export interface KeepPorts {
  readonly store: Pick<Store, 'putFile'>;
  readonly self: Pick<SelfProtection, 'home' | 'scratch'>;
}

/** Stores a file of a session (real path) as a blob, before the message it goes with; or says why not, to follow its path. */
export async function keepFile(
  { store, self }: KeepPorts,
  session: string,
  path: string,
): Promise<LinkOutput<'putFile'>> {
  if (isInside(path, self.home) && !isInside(path, `${self.scratch}/${session}`))
    return { refused: "is in Kairos's own home" };
  try {
    return await store.putFile(path, attachmentLimits.bytes);
  } catch (error) {
    // A full disk holds the work up until there is room, as everywhere.
    if (!(error instanceof KairosError) || error.code !== 'bad_file') throw error;
    return { refused: errorMessage(error) };
  }
}
