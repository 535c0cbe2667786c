import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { useText } from './window-context.tsx';
import './copy-command.css';

/** A command to run in a terminal, with a button that copies it. */
export function CopyCommand({ command }: { command: string }): ReactNode {
  const text = useText();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="copy-command">
      <code>{command}</code>
      <Button
        look="quiet"
        onPress={() => {
          void navigator.clipboard.writeText(command).then(
            () => setCopied(true),
            () => setCopied(false),
          );
        }}
      >
        {isCopied ? text.link.copied : text.link.copy}
      </Button>
    </div>
  );
}
