import type { ReactNode } from 'react';
import type { UnsentMessage } from '../../../shared/viewing/unsent-message.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { useActs, useText } from '../../ui/window-context.tsx';

/** A message on its way to the store; it says so until the daemon has it. */
export function UnsentRow({ message }: { message: UnsentMessage }): ReactNode {
  const text = useText();
  const { uuid, fault, stored } = message;
  return (
    <article className={`message-in${stored ? '' : ' is-unsent'}`}>
      <PlainText text={message.text} />
      {fault === null ? null : <Refused uuid={uuid} words={`${fault.message} ${fault.next}`} />}
      <p className="message-meta message-mark">
        {stored ? text.marks.stored : text.marks.unsent}
        <Icon name="circle" />
      </p>
    </article>
  );
}

function Refused({ uuid, words }: { uuid: string; words: string }): ReactNode {
  const text = useText();
  const { sendAgain, discard } = useActs();
  return (
    <div className="unsent-fault" role="alert">
      <p className="tone-danger">{words}</p>
      <Button onPress={() => sendAgain(uuid)}>{text.marks.sendAgain}</Button>
      <Button look="quiet" onPress={() => discard(uuid)}>
        {text.marks.discard}
      </Button>
    </div>
  );
}
