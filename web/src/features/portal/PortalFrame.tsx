import { Building2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { ErrorNote } from '../../ui/ErrorNote';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Skeleton } from '../../ui/Skeleton';
import { usePortalOrganization } from './portal';
import { PortalOutcome } from './PortalOutcome';

const noOrganization = 'No organization found for this domain. Please check the URL and try again.';

/** The quiet page around everything a customer sees: whose portal it is, and the two ways in. Reads at 16 px. */
export function PortalFrame({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(title);
  const organization = usePortalOrganization();
  return (
    <div className="flex min-h-dvh flex-col bg-canvas text-base">
      <header className="border-b bg-surface">
        <div className="mx-auto flex min-h-14 max-w-2xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-2 sm:px-6">
          <span className="min-w-0 truncate font-semibold">
            {organization.state === 'there' ? organization.value.name : organization.state === 'loading' ? ' ' : 'Support'}
          </span>
          <nav aria-label="Portal" className="-mx-2 flex text-md">
            <PortalLink to="/submit-ticket">Submit a ticket</PortalLink>
            <PortalLink to="/ticket-status/check">Check status</PortalLink>
          </nav>
        </div>
      </header>
      <main className="mx-auto w-full max-w-2xl flex-1 px-4 pt-8 pb-16 sm:px-6 sm:pt-12">
        {organization.state === 'loading' && <PortalSkeleton />}
        {organization.state === 'there' && children}
        {organization.state === 'failed' &&
          (organization.problem.status === 404 ? (
            <PortalOutcome icon={Building2} title="Organization not found">
              {noOrganization}
            </PortalOutcome>
          ) : (
            <ErrorNote title="This page could not be loaded" detail={organization.problem.title} onRetry={organization.retry} />
          ))}
      </main>
      <footer className="px-4 py-6 text-center text-sm text-muted">Powered by Tandem</footer>
    </div>
  );
}

const PortalLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <Link to={to} className="inline-flex h-10 items-center rounded-md px-2 text-muted hover:text-ink">
    {children}
  </Link>
);

export const PortalHeading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="mb-6">
    <h1 className="text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
    {children && <p className="mt-2 text-pretty text-muted">{children}</p>}
  </div>
);

export const PortalSkeleton = () => (
  <div aria-busy="true" role="status">
    <span className="sr-only">Loading</span>
    <Skeleton className="mb-6 h-8 w-2/3" />
    <Skeleton className="mb-3 h-24 w-full" />
    <Skeleton className="h-24 w-full" />
  </div>
);

const control =
  'w-full rounded-md border border-control/60 bg-surface px-3 text-base text-ink transition-colors hover:border-control focus-visible:border-focus ' +
  'focus-visible:outline-1 focus-visible:outline-offset-0 aria-invalid:border-red-solid';
/** Fields one below the other; hints and errors in a size that a phone in the sun still shows. */
export const portalForm = 'flex flex-col gap-5 [&_p]:text-md';
/** Controls at the size of a thumb; a phone's own list for choices. */
export const portalInput = `${control} h-11`;
export const portalTextarea = `${control} field-sizing-content min-h-32 resize-y py-2.5`;
