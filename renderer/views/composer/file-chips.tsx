import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useText } from '../../ui/window-context.tsx';
import type { ComposerFile } from './use-files.ts';

/** The files of the next message, each with what became of it. */
export function FileChips(props: {
  readonly files: readonly ComposerFile[];
  readonly onRemove: (key: string) => void;
}): ReactNode {
  const { files, onRemove } = props;
  const text = useText();
  const words = text.views.files;
  if (files.length === 0) return null;
  return (
    <ul className="file-chips">
      {files.map(({ key, name, state }) => (
        <li key={key} className={`file-chip${state.kind === 'failed' ? ' tone-danger' : ''}`}>
          <Icon name={state.kind === 'failed' ? 'problem' : state.kind === 'sending' ? 'working' : 'clip'} />
          <span role={state.kind === 'failed' ? 'alert' : undefined}>
            {state.kind === 'sending'
              ? words.uploading(name)
              : state.kind === 'failed'
                ? words.failed(name, state.why)
                : name}
          </span>
          <IconButton icon="cross" label={words.remove(name)} onPress={() => onRemove(key)} />
        </li>
      ))}
    </ul>
  );
}

/** The button that opens the system's chooser of files. */
export function AttachButton({ onFiles }: { onFiles: (files: readonly File[]) => void }): ReactNode {
  const text = useText();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <IconButton icon="clip" label={text.views.files.attach} onPress={() => input.current?.click()} />
    </>
  );
}

/** True while files are held over the window; what is dropped anywhere in it is given to `onFiles`. */
export function useDrop(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      onFiles([...(event.dataTransfer?.files ?? [])]);
    };
    const options = { signal: abort.signal };
    document.addEventListener('dragover', over, options);
    document.addEventListener('dragleave', leave, options);
    document.addEventListener('drop', drop, options);
    return () => abort.abort();
  }, [onFiles]);
  return isOver;
}
