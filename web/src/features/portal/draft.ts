import { useEffect, useState } from 'react';
import { tabStorage } from '../../lib/tab-storage';

/** The customer's unsent input. Survives a reload, but not the tab: it must not stay in localStorage on a shared phone. */
export function useDraft<T extends Record<string, string>>(name: string, empty: T): [T, (changes: Partial<T>) => void, () => void] {
  const key = draftKey(name);
  const [draft, setDraft] = useState<T>(() => ({ ...empty, ...tabStorage.read<T>(key) }));
  useEffect(() => tabStorage.write(key, draft), [key, draft]);
  const change = (changes: Partial<T>) => setDraft((before) => ({ ...before, ...changes }));
  const clear = () => {
    // Not only in the effect: the response may arrive after the form has been unmounted.
    tabStorage.write(key, empty);
    setDraft(empty);
  };
  return [draft, change, clear];
}

const draftKey = (name: string) => `draft:${name}`;
/** The unsent text, for a form that can no longer be sent. */
export const unsentDraft = <T extends Record<string, string>>(name: string): Partial<T> => tabStorage.read<T>(draftKey(name)) ?? {};
