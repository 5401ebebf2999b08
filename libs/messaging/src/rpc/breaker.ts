/**
 * Circuit breaker: after three failures in a row all calls are refused for a second, then one trial call decides.
 * Callers get their 503 immediately instead of each waiting for a timeout.
 */
export class Breaker {
  #failures = 0;
  #closedAgainAt = 0;

  constructor(
    private readonly threshold = 3,
    private readonly pauseMs = 1_000,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Whether a call may be made now. After the pause one caller is the trial; the others are refused until it succeeds or another pause has
   * ended.
   */
  allows(): boolean {
    if (this.#failures < this.threshold) return true;
    if (this.now() < this.#closedAgainAt) return false;
    this.#closedAgainAt = this.now() + this.pauseMs;
    return true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= this.threshold) this.#closedAgainAt = this.now() + this.pauseMs;
  }
}
