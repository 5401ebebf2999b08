import { AppError } from '@tandem/contracts';

/**
 * Places for what goes on at once in one process. An organization gets its share of them and no more: whoever sends or reads slowly on
 * purpose leaves room for the others.
 */
export class Places {
  #taken = 0;
  readonly #takenBy = new Map<string, number>();

  constructor(
    private readonly atOnce: number,
    private readonly ofOne: number,
  ) {}

  /** Throws `service.unavailable` where none is free. The place is taken until the returned function is called, once. */
  take(organization_id: string): () => void {
    const own = this.#takenBy.get(organization_id) ?? 0;
    if (this.#taken >= this.atOnce || own >= this.ofOne) throw new AppError('service.unavailable', { retryAfterSeconds: 5 });
    this.#taken += 1;
    this.#takenBy.set(organization_id, own + 1);
    return () => this.#leave(organization_id);
  }

  #leave(organization_id: string): void {
    this.#taken -= 1;
    const left = this.#takenBy.get(organization_id)! - 1;
    if (left > 0) this.#takenBy.set(organization_id, left);
    else this.#takenBy.delete(organization_id);
  }
}
