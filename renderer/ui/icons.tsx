import type { ReactNode } from 'react';

/** The shapes that stand for a state or an act; each is told apart without colour. */
export type IconName =
  | 'asking'
  | 'working'
  | 'idle'
  | 'sleeping'
  | 'queued'
  | 'paused'
  | 'parked'
  | 'problem'
  | 'check'
  | 'circle'
  | 'cross'
  | 'plus'
  | 'send'
  | 'stop'
  | 'play'
  | 'back'
  | 'down'
  | 'right'
  | 'pencil'
  | 'keyboard'
  | 'person'
  | 'question';

const ring = <circle cx="8" cy="8" r="5.5" />;

const shapes: Readonly<Record<IconName, ReactNode>> = {
  asking: (
    <>
      <circle cx="8" cy="8" r="6.5" className="filled" />
      <path d="M8 4.8v3.6M8 11.2v.01" className="cut" />
    </>
  ),
  working: (
    <>
      {ring}
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" className="filled" />
    </>
  ),
  idle: ring,
  sleeping: <path d="M12.8 9.6A5.4 5.4 0 0 1 6.4 3.2a5.4 5.4 0 1 0 6.4 6.4z" />,
  queued: <path d="M3.5 8v.01M8 8v.01M12.5 8v.01" strokeWidth="2.6" />,
  paused: <path d="M5.5 3.5v9M10.5 3.5v9" strokeWidth="2.2" />,
  parked: (
    <>
      {ring}
      <path d="M4.2 11.8l7.6-7.6" />
    </>
  ),
  problem: <path d="M8 2.5l6 11H2zM8 6.8v2.8M8 11.6v.01" />,
  check: <path d="M3 8.5l3.2 3.2L13 4.8" />,
  circle: <circle cx="8" cy="8" r="3" />,
  cross: <path d="M4 4l8 8M12 4l-8 8" />,
  plus: <path d="M8 3v10M3 8h10" />,
  send: <path d="M8 13V3M3.8 7.2L8 3l4.2 4.2" />,
  stop: <rect x="4" y="4" width="8" height="8" rx="1.5" className="filled" />,
  play: <path d="M5.5 3.5l7 4.5-7 4.5z" />,
  back: <path d="M10 3L5 8l5 5" />,
  down: <path d="M3 6l5 5 5-5" />,
  right: <path d="M6 3l5 5-5 5" />,
  pencil: <path d="M10.5 3l2.5 2.5L6 12.5l-3 .5.5-3z" />,
  keyboard: (
    <>
      <rect x="1.8" y="4" width="12.4" height="8" rx="1.5" />
      <path d="M4.5 6.8v.01M7 6.8v.01M9.5 6.8v.01M11.8 6.8v.01M5.5 9.5h5" />
    </>
  ),
  person: (
    <>
      <circle cx="8" cy="5.5" r="2.6" />
      <path d="M3 13.5c.6-2.6 2.6-3.8 5-3.8s4.4 1.2 5 3.8" />
    </>
  ),
  question: <path d="M5.6 6a2.4 2.4 0 1 1 3.4 2.2c-.7.3-1 .8-1 1.5M8 12v.01" />,
};

/** A 16 px shape; decoration unless `label` is given. */
export function Icon({ name, label, tone }: { name: IconName; label?: string; tone?: string }): ReactNode {
  const named = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <svg className={`icon${tone === undefined ? '' : ` tone-${tone}`}`} viewBox="0 0 16 16" {...named}>
      {label === undefined ? null : <title>{label}</title>}
      {shapes[name]}
    </svg>
  );
}
