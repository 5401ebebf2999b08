/**
 * Stops asking who does not answer: after three failures in a row everything is refused for a second, then one trial
 * decides. Callers get their 503 at once instead of each waiting for a time-out.
 */
export class Breaker {
  #failures = 0;
  #closedAgainAt = 0;

  constructor(
    private readonly threshold = 3,
    private readonly pauseMs = 1_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** Whether to ask now. After the pause the first caller is the trial; the others wait for the next pause to end. */
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
