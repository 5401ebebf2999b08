import { useState } from 'react';

interface Listed {
  id: string;
  created_at: string;
}

/**
 * Keeps the rows where they are while `isHeld`: items newer than the first one at that time are only counted. Otherwise a row would move
 * while the user points at it.
 */
export function useSteadyList<Item extends Listed>(items: Item[], isHeld: boolean): { shown: Item[]; held: number; release: () => void } {
  const [since, setSince] = useState<string>();
  const newest = items[0]?.created_at;
  if (isHeld && since === undefined && newest !== undefined) setSince(newest);
  if (!isHeld && since !== undefined) setSince(undefined);
  const shown = since === undefined ? items : items.filter(({ created_at }) => created_at <= since);
  return { shown, held: items.length - shown.length, release: () => setSince(newest) };
}
