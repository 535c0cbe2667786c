import { useCallback, useState } from 'react';
import { attachmentLimits } from '../../../shared/domain/attachments.ts';
import { takenFileSchema } from '../../../shared/protocol/window-views.ts';
import { newUuid } from '../../ports.ts';
import type { WindowText } from '../../text/window-text.ts';
import { useActs, useText } from '../../ui/window-context.tsx';

/** A file that goes with the next message: on its way, stored at a path, or refused. */
export interface ComposerFile {
  readonly key: string;
  readonly name: string;
  readonly state:
    | { readonly kind: 'sending' }
    | { readonly kind: 'taken'; readonly path: string }
    | { readonly kind: 'failed'; readonly why: string };
}

export interface ComposerFiles {
  readonly files: readonly ComposerFile[];
  add(chosen: readonly File[]): void;
  remove(key: string): void;
  clear(): void;
}

/** The files of one composer. A failure never blocks the message, and says why. */
export function useFiles(session: string): ComposerFiles {
  const text = useText();
  const { ask } = useActs();
  const [files, setFiles] = useState<readonly ComposerFile[]>([]);
  const add = useCallback(
    (chosen: readonly File[]) => {
      const put = (file: ComposerFile): void =>
        setFiles((all) =>
          all.some(({ key }) => key === file.key)
            ? all.map((one) => (one.key === file.key ? file : one))
            : [...all, file],
        );
      for (const [index, file] of chosen.entries()) {
        const named = { key: newUuid(), name: file.name };
        const refused = refusal(text, file, index);
        if (refused !== null) {
          put({ ...named, state: { kind: 'failed', why: refused } });
          continue;
        }
        put({ ...named, state: { kind: 'sending' } });
        const path = `/sessions/${encodeURIComponent(session)}/files?name=${encodeURIComponent(file.name)}`;
        void ask({ path, bytes: file }, takenFileSchema).then((asked) =>
          put({
            ...named,
            state: asked.ok
              ? { kind: 'taken', path: asked.value.path }
              : { kind: 'failed', why: `${asked.fault.message} ${asked.fault.next}`.trim() },
          }),
        );
      }
    },
    [ask, session, text],
  );
  const remove = useCallback((key: string) => setFiles((all) => all.filter((file) => file.key !== key)), []);
  const clear = useCallback(() => setFiles([]), []);
  return { files, add, remove, clear };
}

function refusal(text: WindowText, { size }: File, index: number): string | null {
  if (index >= attachmentLimits.count) return text.views.files.tooMany;
  return size > attachmentLimits.bytes ? text.views.files.tooLarge : null;
}

/** The message with the paths of its files, so that whoever works on it finds them. */
export function withFiles(text: WindowText, message: string, files: readonly ComposerFile[]): string {
  const lines = files.flatMap(({ state }) =>
    state.kind === 'taken' ? [text.views.files.attached(state.path)] : [],
  );
  return lines.length === 0
    ? message
    : [message.trimEnd(), ...lines].filter((line) => line !== '').join('\n');
}
