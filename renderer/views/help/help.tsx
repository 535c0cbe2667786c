import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { useActs, useText, useWindow } from '../../ui/window-context.tsx';
import './help.css';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The list of keys, as a layer that Escape closes. */
export function Help(): ReactNode {
  const text = useText();
  const { setHelpOpen } = useActs();
  const isOpen = useWindow((state) => state.isHelpOpen);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen && dialog.current?.open === false) dialog.current.showModal();
    else if (!isOpen) dialog.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={dialog} className="help" aria-label={text.help.title} onClose={() => setHelpOpen(false)}>
      <h2>{text.help.title}</h2>
      <dl>
        {text.help.rows.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys.replaceAll('Mod', isMac ? '⌘' : 'Ctrl')}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Button onPress={() => setHelpOpen(false)}>{text.help.close}</Button>
    </dialog>
  );
}
