import { createExternalStore } from './external-store';
import { storage } from './storage';

export type ThemeChoice = 'light' | 'dark' | 'system';

const systemIsDark = () => matchMedia('(prefers-color-scheme: dark)').matches;

export function themeChoice(): ThemeChoice {
  const stored = storage.get('theme');
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

const theme = createExternalStore(() => ({
  choice: themeChoice(),
  isDark: document.documentElement.dataset.theme === 'dark',
}));

/** Same logic as before-app.js in the page (vite.inline-script.ts), which runs before the first paint. */
function apply(): void {
  const choice = themeChoice();
  const isDark = choice === 'dark' || (choice === 'system' && systemIsDark());
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  theme.set({ choice, isDark });
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') storage.remove('theme');
  else storage.set('theme', choice);
  apply();
}

/** Follows changes to the system setting and changes in other tabs. */
export function watchTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  addEventListener('storage', (event) => {
    if (event.key === 'theme') apply();
  });
}

export const useThemeChoice = (): ThemeChoice => theme.use(({ choice }) => choice);
export const useIsDark = (): boolean => theme.use(({ isDark }) => isDark);
