/** From 1 s, doubled after each failure, up to 5 minutes; ± 20 % jitter, so that links that failed together do not retry together. */
export function backOffMs(failures: number, random: number = Math.random()): number {
  const pause = Math.min(5 * 60_000, 1_000 * 2 ** Math.max(0, Math.min(failures, 20) - 1));
  return Math.round(pause * (0.8 + 0.4 * random));
}

/** After this many consecutive failures, back off the whole connection: the tool is down, not one task. */
export const outageThreshold = 3;
