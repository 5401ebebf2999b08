import { t } from '../lib/staff-texts';
/** The tandem logo: two wheels and one frame. */
export function LogoMark({ className = 'size-6' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g className="stroke-accent-ink" strokeWidth="2.5" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="11" cy="18.5" r="5" />
        <circle cx="21" cy="18.5" r="5" opacity=".75" />
        <path d="m11 18.5 5-9 5 9" />
      </g>
    </svg>
  );
}

export const Logo = () => (
  <span className="inline-flex items-center gap-2 text-md font-semibold tracking-tight">
    <LogoMark />
    {t('ui.tandem')}
  </span>
);
