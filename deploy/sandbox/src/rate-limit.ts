export interface RateLimitRules {
  /** Maximum requests per window; Infinity for no limit. */
  limit: number;
  /** How much faster than real time the window of a minute passes. */
  timeScale: number;
}

interface Window {
  ends_at: number;
  used: number;
}

/**
 * Limits the requests per minute and key. Sends the headers of ClickUp and GitHub: `X-RateLimit-Limit`, `-Remaining` and `-Reset`, the last
 * in whole Unix seconds. With a `timeScale` other than 1, seconds are too coarse for a window of 60 s / timeScale, so `-Reset` then has a
 * fraction (milliseconds): a client under test must parse it as a number, not as an integer.
 */
export class RateLimit {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly rules: RateLimitRules) {}

  take(key: string, now: number): { allowed: boolean; headers: Record<string, string> } {
    const { limit, timeScale } = this.rules;
    if (limit === Infinity) return { allowed: true, headers: {} };
    let window = this.windows.get(key);
    if (!window || window.ends_at <= now) {
      // The end is rounded up to the header's precision, so that the window has ended for a client that waits until then.
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

  /** Resets all windows. */
  clear(): void {
    this.windows.clear();
  }
}
