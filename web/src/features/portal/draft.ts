import { useEffect, useState } from 'react';

/** What a customer has typed, kept for this tab until it is sent: a reload loses nothing. Kept out of the lasting storage: phones are lent. */
export function useDraft<T extends Record<string, string>>(name: string, empty: T): [T, (changes: Partial<T>) => void, () => void] {
  const key = `draft:${name}`;
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...stored<T>(key) }));
  useEffect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify(draft));
    } catch {
      // Storage may be forbidden: then only a reload loses the text.
    }
  }, [key, draft]);
  const change = (changes: Partial<T>) => setDraft((before) => ({ ...before, ...changes }));
  return [draft, change, () => setDraft(empty)];
}

function stored<T>(key: string): Partial<T> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}
