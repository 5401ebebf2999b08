/** The values that were used last, as long as the sum of their sizes does not exceed the maximum. */
export class SizedCache<T> {
  readonly #entries = new Map<string, { value: T; size: number }>();
  #size = 0;

  constructor(private readonly maxSize: number) {}

  get(key: string): T | undefined {
    const found = this.#entries.get(key);
    if (!found) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found.value;
  }

  /** Returns the value, even if it is too large to stay. */
  set(key: string, value: T, size: number): T {
    this.#remove(key);
    this.#entries.set(key, { value, size });
    this.#size += size;
    while (this.#size > this.maxSize) this.#remove(this.#entries.keys().next().value!);
    return value;
  }

  #remove(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
