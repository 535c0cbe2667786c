/** The part of a key event that tells whether an input method has it. */
export interface ComposableKey {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** Some browsers send Enter as 229, or unmarked, right after the composition ended: that one belongs to the input method too. */
const processKey = 229;
let isOpen = false;

/** Notes compositions anywhere in the page; call once. */
export function watchComposition(target: EventTarget): void {
  target.addEventListener('compositionstart', () => {
    isOpen = true;
  });
  target.addEventListener('compositionend', () => {
    isOpen = false;
  });
}

/** True when a key belongs to an input method. Every key handler of the window asks this first (ux.md section 4). */
export function isComposingKey(event: ComposableKey): boolean {
  return isOpen || event.isComposing || event.keyCode === processKey;
}
