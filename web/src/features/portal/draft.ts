import { useEffect, useState } from 'react';
import { tabStorage } from '../../lib/tab-storage';

/** What a customer has typed, kept for this tab until it is sent: a reload loses nothing. Kept out of the lasting storage: phones are lent. */
export function useDraft<T extends Record<string, string>>(name: string, empty: T): [T, (changes: Partial<T>) => void, () => void] {
  const key = draftKey(name);
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...tabStorage.read<T>(key) }));
  useEffect(() => tabStorage.write(key, draft), [key, draft]);
  const change = (changes: Partial<T>) => setDraft((before) => ({ ...before, ...changes }));
  const clear = () => {
    // Not only by the effect: the answer may come when the form has been left.
    tabStorage.write(key, empty);
    setDraft(empty);
  };
  return [draft, change, clear];
}

const draftKey = (name: string) => `draft:${name}`;
/** What was written and not sent, where it can no longer be sent. */
export const unsentDraft = <T extends Record<string, string>>(name: string): Partial<T> => tabStorage.read<T>(draftKey(name)) ?? {};
