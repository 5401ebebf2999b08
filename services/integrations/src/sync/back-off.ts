/** From 1 s, twice as long after each failure, up to 5 minutes; ± 20 %, so that what failed together does not come again together. */
export function backOffMs(failures: number, random: number = Math.random()): number {
  const pause = Math.min(5 * 60_000, 1_000 * 2 ** Math.max(0, Math.min(failures, 20) - 1));
  return Math.round(pause * (0.8 + 0.4 * random));
}

/** So many failures in a row are the tool's, not one task's: the whole connection waits. */
export const failuresOfAnOutage = 3;
