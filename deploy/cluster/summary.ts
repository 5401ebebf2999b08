/** One request that was sent, and why it was not answered as it should; times in milliseconds since the start. */
export interface Attempt {
  kind: 'read' | 'write';
  from: number;
  until: number;
  failure?: string | undefined;
}

export interface Summary {
  requests: number;
  failed: number;
  /** The number of failures by reason. */
  failures: Record<string, number>;
  longestGap: Gap;
  /** Those of more than two seconds. */
  gaps: Gap[];
}

/** A time without a success: from one success of any client, or the start, to the next one or the end. */
export interface Gap {
  from: number;
  ms: number;
  /** The failures that ended in it, by reason. Without any, all clients waited for a response. */
  failures: Record<string, number>;
}

const reportedGapMs = 2_000;

export function summarize(attempts: readonly Attempt[]): Summary {
  const byEnd = attempts.toSorted((a, b) => a.until - b.until);
  const failed = byEnd.filter(({ failure }) => failure !== undefined);
  const gaps = gapsOf(byEnd);
  return {
    requests: byEnd.length,
    failed: failed.length,
    failures: countReasons(failed),
    longestGap: gaps.reduce((longest, gap) => (gap.ms > longest.ms ? gap : longest)),
    gaps: gaps.filter(({ ms }) => ms > reportedGapMs),
  };
}

function gapsOf(byEnd: readonly Attempt[]): Gap[] {
  const ends = byEnd.filter(({ failure }) => failure === undefined).map(({ until }) => until);
  const limits = [0, ...ends, byEnd.at(-1)?.until ?? 0];
  return limits.slice(1).map((until, i) => {
    const from = limits[i]!;
    const within = byEnd.filter((each) => each.failure !== undefined && each.until > from && each.until <= until);
    return { from, ms: until - from, failures: countReasons(within) };
  });
}

function countReasons(failed: readonly Attempt[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { failure } of failed) counts[failure!] = (counts[failure!] ?? 0) + 1;
  return counts;
}
