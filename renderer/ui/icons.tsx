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
  | 'question'
  | 'search'
  | 'shield'
  | 'chart'
  | 'gear'
  | 'pulse'
  | 'sliders'
  | 'clip'
  | 'chat';

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
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5L14 14" />
    </>
  ),
  shield: <path d="M8 1.8l5 2v4c0 3-2 5.2-5 6.4-3-1.2-5-3.4-5-6.400v-4zM5.8 8l1.6 1.6 3-3.2" />,
  chart: <path d="M2.5 13.500h11M4.5 11V8M8 11V3.500M11.5 11V6" />,
  gear: (
    <>
      <circle cx="8" cy="8" r="2" />
      <path d="M8 1.800v2M8 12.200v2M1.8 8h2M12.2 8h2M3.6 3.600l1.4 1.400M11 11l1.4 1.400M3.6 12.400L5 11M11 5l1.4-1.4" />
    </>
  ),
  pulse: <path d="M1.8 8.500h3L6.5 4l3 8 1.7-3.500h3" />,
  sliders: <path d="M2 5h6M12 5h2M2 11h2M8 11h6M10 3.500v3M6 9.500v3" />,
  clip: (
    <path d="M12.5 7.200l-5 5a2.9 2.9 0 0 1-4.1-4.100l5.4-5.400a1.9 1.9 0 0 1 2.7 2.700l-5.3 5.300a.9.9 0 0 1-1.3-1.300L9.6 4.8" />
  ),
  chat: <path d="M2.5 3.500h11v7.500h-6L4.5 13.500V11h-2z" />,
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
