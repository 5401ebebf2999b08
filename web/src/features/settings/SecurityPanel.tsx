import { lazy, Suspense } from 'react';
import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** Its form is for once; the log is read more often and does not wait for it. */
const SsoCard = lazy(() => import('../sso/SsoCard').then((module) => ({ default: module.SsoCard })));

/** What this browser has noted, and beside it what the server knows of the whole organization. */
export function SecurityPanel() {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <LocalSecurity />
        <Suspense fallback={null}>
          <SsoCard />
        </Suspense>
      </div>
      <AuditLog />
    </div>
  );
}
