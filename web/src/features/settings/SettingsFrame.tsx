import { useEffect, useState } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { useSession } from '../../app/api';
import { settingsFor } from '../../lib/settings-sections';
import { t } from '../../lib/staff-texts';
import { SideNav } from '../../ui/SideNav';

/** The navigation's address of the open page: `/settings` and `/organization-settings` are aliases of panels. */
function useCurrent(): string {
  const { pathname, search, hash } = useLocation();
  if (pathname === '/organization-settings') return `/settings?tab=organization${hash}`;
  if (pathname !== '/settings') return `${pathname}${hash}`;
  return `/settings?tab=${new URLSearchParams(search).get('tab') ?? 'branding'}${hash}`;
}

/** How long to wait for a part of a page that is still loading. */
const waitMs = 3_000;

/** Scrolls to the part of the page that the address names, as soon as it is rendered. */
function useHashInView(): void {
  const { key, hash } = useLocation();
  useEffect(() => {
    if (!hash) return;
    const show = () => {
      const part = document.getElementById(hash.slice(1));
      // A part below a skeleton is not displayed yet (`after-skeletons` in styles.css).
      if (!part || getComputedStyle(part).display === 'none') return false;
      part.scrollIntoView({ block: 'start' });
      return true;
    };
    if (show()) return;
    const observer = new MutationObserver(() => show() && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => observer.disconnect(), waitMs);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [key, hash]);
}

/** The navigation of all settings, next to the open page. Hidden while the user may only open their account page. */
export function SettingsFrame() {
  const { profile, mfa_enrolment_required } = useSession();
  const current = useCurrent();
  useHashInView();
  // Fixed on arrival, as in app/Frame.tsx: a changed frame would remount the page, whose recovery codes are shown only once.
  const [isBare] = useState(!profile.organization_id || mfa_enrolment_required);
  if (isBare) return <Outlet />;
  const groups = settingsFor(profile.role).map(({ title, sections }) => ({ title, links: sections }));
  const open = groups.flatMap(({ links }) => links).find(({ to }) => to === current);
  return (
    <div className="flex min-h-0 flex-1 max-md:flex-col">
      <SideNav
        label={t('settings.settings')}
        button={open?.label ?? t('settings.all_settings')}
        groups={groups}
        current={current}
        className="bg-canvas max-md:px-4 md:w-52 md:overflow-y-auto md:border-r md:px-2 md:py-5"
      />
      <Outlet />
    </div>
  );
}
