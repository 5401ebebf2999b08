import { useSyncExternalStore } from 'react';
import { storage } from './storage';

export type ThemeChoice = 'light' | 'dark' | 'system';

const listeners = new Set<() => void>();
const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

export function themeChoice(): ThemeChoice {
  const stored = storage.get('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Same logic as public/theme.js, which runs before the first paint. */
function apply(): void {
  const choice = themeChoice();
  document.documentElement.dataset.theme = choice === 'dark' || (choice === 'system' && systemIsDark()) ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') storage.remove('theme');
  else storage.set('theme', choice);
  apply();
}

/** Follows changes of the system setting and of other tabs. */
export function watchTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key === 'theme') apply();
  });
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, themeChoice);
export const useIsDark = (): boolean => useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme === 'dark');
