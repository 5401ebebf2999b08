import type { PublicBranding } from '@tandem/contracts';
import { useEffect, type CSSProperties } from 'react';
import { brandVariables } from '@tandem/contracts/values';
import { useIsDark } from '../../lib/theme';

/** No accent color until the organization's colors are known, so that no wrong colors flash. */
const defaultVariables = {
  '--accent': 'var(--ink)',
  '--accent-ink': 'var(--surface)',
  '--accent-hover': 'var(--muted)',
  '--accent-text': 'var(--ink)',
  '--accent-soft': 'var(--sunken)',
  '--accent-line': 'var(--line-strong)',
  '--focus': 'var(--control)',
};

/** The organization's colors as CSS variables of the portal. */
export function useBrandStyle(branding: PublicBranding | undefined): CSSProperties {
  const isDark = useIsDark();
  return ((branding ? brandVariables(branding, isDark ? 'dark' : 'light') : defaultVariables) ?? {}) as CSSProperties;
}

/** Sets the organization's favicon while one of its pages is shown. */
export function useFavicon(url: string | null | undefined): void {
  useEffect(() => {
    if (!url) return;
    const own = document.head.querySelector<HTMLLinkElement>('link[rel="icon"]');
    const theirs = Object.assign(document.createElement('link'), { rel: 'icon', href: url });
    own?.remove();
    document.head.append(theirs);
    return () => {
      theirs.remove();
      if (own) document.head.append(own);
    };
  }, [url]);
}
