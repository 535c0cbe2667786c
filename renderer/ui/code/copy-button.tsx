import { type ReactNode, useState } from 'react';
import { useText } from '../window-context.tsx';
import { Button } from '../button.tsx';

/** Copies a text as it is, and says whether that worked. */
export function CopyButton({ text, label }: { text: string; label?: string }): ReactNode {
  const words = useText();
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready');
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  const labels = {
    ready: label ?? words.link.copy,
    copied: words.link.copied,
    failed: words.code.copyFailed,
  };
  return (
    <Button look="quiet" onPress={copy}>
      {labels[state]}
    </Button>
  );
}
