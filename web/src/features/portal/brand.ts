import type { PublicBranding } from '@tandem/contracts';
import { useEffect, type CSSProperties } from 'react';
import { brandVariables } from '@tandem/contracts/values';
import { useIsDark } from '../../lib/theme';

/** Until the organization's colours are known the page has none: nothing flashes in another company's. */
const colorless = {
  '--accent': 'var(--ink)',
  '--accent-ink': 'var(--surface)',
  '--accent-hover': 'var(--muted)',
  '--accent-text': 'var(--ink)',
  '--accent-soft': 'var(--sunken)',
  '--accent-line': 'var(--line-strong)',
  '--focus': 'var(--control)',
};

/** The organization's colours as the variables of the portal's frame. */
export function useBrandStyle(branding: PublicBranding | undefined): CSSProperties {
  const isDark = useIsDark();
  return ((branding ? brandVariables(branding, isDark ? 'dark' : 'light') : colorless) ?? {}) as CSSProperties;
}

/** The organization's icon in the browser's tab, while one of its pages is shown. */
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
