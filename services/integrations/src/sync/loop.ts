/** More automatic writes of one ticket and its task in a minute than people cause: two machines answer each other. */
export const writesOfALoop = 20;

export interface Writes {
  writes: number;
  writes_since: string | null;
}

/** One more write, either way, at `now`. */
export function countWrite({ writes, writes_since }: Writes, now: string): Writes & { is_loop: boolean } {
  const isSameMinute = writes_since !== null && Date.parse(now) - Date.parse(writes_since) < 60_000;
  const counted = isSameMinute ? { writes: writes + 1, writes_since } : { writes: 1, writes_since: now };
  return { ...counted, is_loop: counted.writes > writesOfALoop };
}
