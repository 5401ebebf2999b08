/** sessionStorage: survives a reload, but nothing remains on a shared device. If it is blocked or full, nothing is stored. */
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
      // Then the value is only lost on a reload.
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
