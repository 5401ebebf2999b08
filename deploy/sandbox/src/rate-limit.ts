export interface RateLimitRules {
  /** Requests in a window; Infinity for no limit. */
  limit: number;
  /** How much faster than real time the window of a minute passes. */
  timeScale: number;
}

interface Window {
  ends_at: number;
  used: number;
}

/**
 * So many requests a minute for each key. Headers as ClickUp and GitHub send them: `X-RateLimit-Limit`, `-Remaining` and `-Reset`, the last in
 * whole unix seconds. With a `timeScale` other than 1 a second is too coarse for a window of 60 s / timeScale, so that `-Reset` then has a
 * fraction (milliseconds): a client under test must read it as a number, not as an integer.
 */
export class RateLimit {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly rules: RateLimitRules) {}

  take(key: string, now: number): { allowed: boolean; headers: Record<string, string> } {
    const { limit, timeScale } = this.rules;
    if (limit === Infinity) return { allowed: true, headers: {} };
    let window = this.windows.get(key);
    if (!window || window.ends_at <= now) {
      // The end is rounded up to what the header can say: whoever waits until then must find the window open.
      const end = now + 60_000 / timeScale;
      window = { ends_at: timeScale === 1 ? Math.ceil(end / 1000) * 1000 : Math.ceil(end), used: 0 };
      this.windows.set(key, window);
    }
    const allowed = window.used < limit;
    if (allowed) window.used += 1;
    const headers = {
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(limit - window.used),
      'x-ratelimit-reset': String(window.ends_at / 1000),
    };
    return { allowed, headers };
  }

  /** All windows start anew. */
  clear(): void {
    this.windows.clear();
  }
}
