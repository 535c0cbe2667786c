import type { ReactNode } from 'react';

/** One of several: a radio button with a title and what it means. */
export function Choice(props: {
  readonly name: string;
  readonly title: string;
  readonly hint: string;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}): ReactNode {
  const { name, title, hint, isChosen, onChoose } = props;
  return (
    <label className="choice">
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
      <span>
        <span className="choice-title">{title}</span>
        {hint === '' ? null : <span className="view-meta">{hint}</span>}
      </span>
    </label>
  );
}
