/**
 * The newest response per organization and query, while the version stays the same. Several people read the same figures, and open pages
 * poll them; the least recently used responses are dropped.
 */
export class ResponseCache<T> {
  readonly #entries = new Map<string, { version: string; response: T }>();

  constructor(private readonly maxEntries: number) {}

  async get(key: string, version: string, compute: () => Promise<T>): Promise<T> {
    const found = this.#entries.get(key);
    const response = found?.version === version ? found.response : await compute();
    this.#entries.delete(key);
    this.#entries.set(key, { version, response });
    if (this.#entries.size > this.maxEntries) this.#entries.delete(this.#entries.keys().next().value!);
    return response;
  }
}
