import { AppError } from '@tandem/contracts';

/**
 * Limits concurrent transfers in one process. Each organization also has its own limit, so that its slow clients cannot use up the slots
 * of all others (`slotOwner`).
 */
export class TransferSlots {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  constructor(
    private readonly maxTotal: number,
    private readonly maxPerOrganization: number,
  ) {}

  /** Throws `service.unavailable` if no slot is free. The caller must call the returned function exactly once to free the slot. */
  acquire(owner: string): () => void {
    const own = this.#takenBy.get(owner) ?? 0;
    if (this.#taken >= this.maxTotal || own >= this.maxPerOrganization) throw new AppError('service.unavailable', { retryAfterSeconds: 5 });
    this.#taken += 1;
    this.#takenBy.set(owner, own + 1);
    return () => this.#release(owner);
  }

  #release(owner: string): void {
    this.#taken -= 1;
    const left = this.#takenBy.get(owner)! - 1;
    if (left > 0) this.#takenBy.set(owner, left);
    else this.#takenBy.delete(owner);
  }
}
