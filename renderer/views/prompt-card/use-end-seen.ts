import { type RefObject, useEffect, useState } from 'react';
import { isAtEnd } from '../history/scroll-place.ts';

/** True once the last line of a scrolled text was in sight; starts anew with every `text`. */
export function useEndSeen(box: RefObject<HTMLElement | null>, text: string): boolean {
  const [seen, setSeen] = useState<string | null>(null);
  useEffect(() => {
    const { current } = box;
    if (current === null) return undefined;
    const look = (): void => {
      // A box without height shows nothing, whatever its numbers say.
      if (current.clientHeight > 0 && isAtEnd(current)) setSeen(text);
    };
    const observer = new ResizeObserver(look);
    observer.observe(current);
    current.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', look);
    };
  }, [box, text]);
  return seen === text;
}
