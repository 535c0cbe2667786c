import { useCallback, useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import type { Fault } from '../../shared/viewing/fault.ts';
import { useActs } from './window-context.tsx';

/** What a view asked for: on its way (with what was there before), refused, or there. */
export interface Answered<Value> {
  readonly value: Value | null;
  readonly fault: Fault | null;
  readonly isLoading: boolean;
  /** Asks once more. */
  again(): void;
}

interface Known<Value> {
  readonly path: string;
  readonly value: Value | null;
  readonly fault: Fault | null;
  readonly round: number;
}

/** The answer to a GET; asked when the view is shown and when the path changes, never by time. null asks nothing. */
export function useAnswer<Value>(path: string | null, schema: z.ZodMiniType<Value>): Answered<Value> {
  const { ask } = useActs();
  const [round, setRound] = useState(0);
  const [known, setKnown] = useState<Known<Value> | null>(null);
  useEffect(() => {
    if (path === null) return undefined;
    let isOver = false;
    void ask({ path }, schema).then((asked) => {
      if (isOver) return;
      setKnown((before) =>
        asked.ok
          ? { path, value: asked.value, fault: null, round }
          : { path, value: before?.path === path ? before.value : null, fault: asked.fault, round },
      );
    });
    return () => {
      isOver = true;
    };
  }, [ask, path, schema, round]);
  const again = useCallback(() => setRound((count) => count + 1), []);
  return {
    value: known?.value ?? null,
    fault: known?.fault ?? null,
    isLoading: path !== null && (known?.path !== path || known.round !== round),
    again,
  };
}
