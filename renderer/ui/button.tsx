import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import './controls.css';

interface ButtonProps {
  readonly onPress: () => void;
  readonly children: ReactNode;
  readonly look?: 'plain' | 'primary' | 'quiet';
  readonly isDisabled?: boolean;
  readonly title?: string;
}

/** A button with words. A held key presses it once only. */
export function Button({
  onPress,
  children,
  look = 'plain',
  isDisabled = false,
  title,
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={`button is-${look}`}
      disabled={isDisabled}
      title={title}
      onClick={onPress}
      onKeyDown={(event) => {
        // Without this a held Enter presses again and again.
        if (event.repeat) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}

/** A button with a shape alone; `label` is its name and its hint. */
export function IconButton(props: {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="icon-button"
      title={props.label}
      aria-label={props.label}
      onClick={props.onPress}
    >
      <Icon name={props.icon} />
    </button>
  );
}
