import type { PublicOrganization } from '@tandem/contracts';
import { Building2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { Link, useLocation, NavigationType, useNavigationType } from 'react-router-dom';
import { useFirstHtml } from '../../lib/first-html';
import { readSite } from '../../lib/site';
import { setDocumentTitle } from '../../lib/document-title';
import { ConnectionNote } from '../../ui/ConnectionNote';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeletons } from '../../ui/Skeleton';
import { LanguageSwitch } from './language/LanguageSwitch';
import { useTexts } from './language/texts';
import { useBrandStyle, useFavicon } from './brand';
import { knowsArticles } from './knows-articles';
import { PortalOrganization, usePortalOrganization } from './organization';
import { PortalOutcome } from './PortalOutcome';

/**
 * Layout of all customer pages: the organization's name and colors, and links to the two entry pages. The font size is 16 px. The page
 * content does not wait for the organization, and nothing moves when its name arrives. The organization's own CSS targets `.portal`, which
 * is this element. `hero` spans the page above the content; only the home page has one, and needs no links to the other pages.
 */
export function PortalFrame({ title, hero, children }: { title: string; hero?: ReactNode; children: ReactNode }) {
  useFirstHtml();
  useTopOfPage();
  const t = useTexts();
  const loaded = usePortalOrganization();
  const organization = loaded.state === 'loaded' ? loaded.value : undefined;
  const branding = organization?.branding;
  const style = useBrandStyle(branding);
  useFavicon(branding?.favicon_url);
  const name = organization?.name ?? '';
  useEffect(() => setDocumentTitle(title, name), [title, name]);
  return (
    <PortalOrganization value={organization}>
      {branding?.css && <style>{branding.css}</style>}
      <div className="portal flex min-h-dvh flex-col bg-canvas text-base text-ink" style={style}>
        <header className="border-b bg-surface">
          <div className="mx-auto flex max-w-2xl flex-col px-4 sm:h-14 sm:flex-row sm:items-center sm:justify-between sm:gap-6 sm:px-6">
            <span className="flex h-12 min-w-0 items-center font-semibold">
              {organization ? (
                <HomeLink>
                  <Identity organization={organization} />
                </HomeLink>
              ) : (
                loaded.state === 'failed' && t('frame.support')
              )}
            </span>
            {!hero && (
              <nav aria-label={t('frame.nav')} className="-mx-2 flex shrink-0 flex-wrap max-sm:-mt-1 max-sm:pb-1">
                {knowsArticles() && <PortalLink to="/help">{t('help.page')}</PortalLink>}
                <PortalLink to="/submit-ticket">{t('frame.submit')}</PortalLink>
                <PortalLink to="/ticket-status/check">{t('frame.check')}</PortalLink>
              </nav>
            )}
          </div>
        </header>
        <main className="flex-1">
          {loaded.state !== 'failed' && hero}
          <div className="mx-auto w-full max-w-2xl px-4 pt-8 pb-16 sm:px-6 sm:pt-12">
            {loaded.state !== 'failed' && children}
            {loaded.state === 'failed' &&
              (loaded.problem.status === 404 ? (
                <PortalOutcome icon={Building2} title={t('frame.no_organization')}>
                  {t('frame.no_organization_text')}
                </PortalOutcome>
              ) : (
                <ErrorNote title={t('frame.failed')} detail={loaded.problem.title} onRetry={loaded.retry} />
              ))}
          </div>
        </main>
        <footer className="flex min-h-17 flex-wrap items-center justify-center gap-x-6 gap-y-2 px-4 py-3 text-sm text-muted">
          {loaded.state !== 'loading' && !branding?.hide_powered_by && <span data-powered-by>{t('frame.powered_by')}</span>}
          <LanguageSwitch />
          <StaffSignIn />
        </footer>
        <ConnectionNote />
      </div>
    </PortalOrganization>
  );
}

/** A link opens a page at its top. After Back, the browser restores the position. */
function useTopOfPage(): void {
  const { key, hash } = useLocation();
  const isLink = useNavigationType() === NavigationType.Push && hash === '';
  useLayoutEffect(() => {
    if (isLink) document.documentElement.scrollTo(0, 0);
  }, [key, isLink]);
}

/** On the organization's own host the logo links to the portal's home; on the product's host `/` is the landing page. */
const HomeLink = ({ children }: { children: ReactNode }) =>
  readSite().kind === 'portal' ? (
    <Link to="/" className="flex min-h-11 min-w-0 items-center rounded-md">
      {children}
    </Link>
  ) : (
    children
  );

/**
 * A single organization has no other page from which its team finds the sign-in page. Subdomains and own domains belong to customers only.
 * Not a `Link`: for the staff app, the same host is the product's, with another first HTML.
 */
function StaffSignIn() {
  const t = useTexts();
  const { singlePortal } = readSite();
  // The first HTML is rendered at build time, without `window` and for all sites.
  if (singlePortal === undefined || singlePortal !== window.location.origin) return null;
  return (
    <a href="/auth" className="inline-flex min-h-11 items-center underline-offset-4 hover:text-ink hover:underline">
      {t('frame.staff_sign_in')}
    </a>
  );
}

/** The logo, with the name as its alt text; the name as text if there is no logo or it does not load. */
function Identity({ organization: { name, branding } }: { organization: PublicOrganization }) {
  const [broken, setBroken] = useState<string>();
  const url = branding.logo_url;
  if (!url || broken === url) return <bdi className="truncate">{name}</bdi>;
  // Most logos are designed for a light background.
  return (
    <img
      src={url}
      alt={name}
      onError={() => setBroken(url)}
      className="h-8 max-w-48 object-contain object-left rtl:object-right dark:h-9 dark:rounded-sm dark:bg-white dark:px-1.5 dark:py-1"
    />
  );
}

const PortalLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="inline-flex h-11 items-center rounded-md px-2 text-accent-text underline-offset-4 hover:underline">
    {children}
  </Link>
);

export const portalTextLink = 'text-accent-text underline underline-offset-4';

export const PortalHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="mb-6">
    <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
    {children && <p className="mt-2 text-pretty text-muted">{children}</p>}
  </div>
);

export const PortalSkeleton = () => (
  <div role="status">
    <Skeletons className="min-h-[60vh]" blocks={['mb-6 h-8 w-2/3', 'mb-3 h-24', 'h-24']} />
  </div>
);

const control =
  'w-full rounded-md border border-control/60 bg-surface px-3 text-base text-ink transition-colors hover:border-control focus-visible:border-focus ' +
  'focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-red-solid';
/** Fields in one column; hints and errors in a larger font that is readable on phones outdoors. */
export const portalForm = 'flex flex-col gap-5 [&_p]:text-md';
/** Touch-sized controls; selects use the phone's native list. */
export const portalInput = `${control} h-11`;
export const portalTextarea = `${control} field-sizing-content min-h-32 resize-y py-2.5`;
/** The submit button: full width on phones. */
export const portalSubmit = 'h-11 text-base! max-sm:w-full sm:self-start';
