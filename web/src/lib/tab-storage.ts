/** What this tab remembers: a reload loses nothing, and a lent phone keeps nothing. Storage may be forbidden or full: then nothing is kept. */
export const tabStorage = {
  read<T>(key: string): T | undefined {
    try {
      return (JSON.parse(sessionStorage.getItem(key) ?? 'null') as T | null) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(key: string, value: unknown): void {
    try {
      sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Only a reload loses it then.
    }
  },
  remove(key: string): void {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // As above.
    }
  },
};
