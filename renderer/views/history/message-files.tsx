import { type ReactNode, useEffect, useState } from 'react';
import { byteText } from '../../../shared/base/byte-text.ts';
import type { Attachment } from '../../../shared/domain/attachments.ts';
import type { MessageOutItem } from '../../../shared/session/session-view-items.ts';
import { Button } from '../../ui/button.tsx';
import { useActs, useText } from '../../ui/window-context.tsx';

/** Pictures that are shown; what else calls itself an image is only offered to be saved. */
const shownTypes: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const largestShown = 10 * 1024 * 1024;

/** The files that came with a message, and those that were to and could not. */
export function MessageFiles({ item }: { item: MessageOutItem }): ReactNode {
  const text = useText();
  if (item.attachments.length === 0 && item.lost.length === 0) return null;
  return (
    <ul className="message-files">
      {item.attachments.map((file) => (
        <li key={`${file.hash} ${file.name}`}>
          <FileRow file={file} />
        </li>
      ))}
      {item.lost.map(({ path, reason }) => (
        <li key={path} className="tone-danger">
          {text.history.notSent(path, reason)}
        </li>
      ))}
    </ul>
  );
}

function FileRow({ file }: { file: Attachment }): ReactNode {
  const text = useText();
  const { loadFile } = useActs();
  const [isGone, setGone] = useState(false);
  const save = async (): Promise<void> => {
    const content = await loadFile(file.hash);
    setGone(content === null);
    if (content !== null) saveAs(content, file.name);
  };
  return (
    <>
      <Picture file={file} />
      <Button onPress={() => void save()} title={text.history.save(file.name)}>
        {file.name}
      </Button>{' '}
      <span className="message-meta">{byteText(file.bytes)}</span>
      {isGone ? <span className="tone-danger"> {text.history.fileGone}</span> : null}
    </>
  );
}

function Picture({ file }: { file: Attachment }): ReactNode {
  const { loadFile } = useActs();
  const [address, setAddress] = useState<string | null>(null);
  const isShown = shownTypes.has(file.mediaType) && file.bytes <= largestShown;
  useEffect(() => {
    if (!isShown) return;
    let url: string | null = null;
    let isOver = false;
    void loadFile(file.hash).then((content) => {
      if (content === null || isOver) return;
      url = URL.createObjectURL(new Blob([content], { type: file.mediaType }));
      setAddress(url);
    });
    return () => {
      isOver = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [file.hash, file.mediaType, isShown, loadFile]);
  return address === null ? null : <img className="message-picture" src={address} alt={file.name} />;
}

/** The browser saves it under its name; nothing of it is opened here. */
function saveAs(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
