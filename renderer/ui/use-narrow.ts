import { useSyncExternalStore } from 'react';

const query = matchMedia('(max-width: 719px)');

function subscribe(changed: () => void): () => void {
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** True where one pane fits (ux.md: phone, below 720 px). */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
