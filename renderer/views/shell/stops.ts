/** Marks an element as a stop of F6; `data-stop-focus` inside it gets the focus, else the stop itself. */
export const stopProps = { 'data-stop': '' } as const;
export const stopFocusProps = { 'data-stop-focus': '' } as const;

/** Moves the focus to the next pane or card, round the end; false when there is none. */
export function focusNextStop(page: Document, step: 1 | -1): boolean {
  const stops = [...page.querySelectorAll<HTMLElement>('[data-stop]')];
  if (stops.length === 0) return false;
  const current = stops.findIndex((stop) => stop.contains(page.activeElement));
  const start = current < 0 && step === -1 ? 0 : current;
  const next = stops[(start + step + stops.length) % stops.length];
  const target = next?.querySelector<HTMLElement>('[data-stop-focus]') ?? next;
  target?.focus();
  return target !== undefined;
}
