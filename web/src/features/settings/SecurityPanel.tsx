import { Suspense, type ReactNode } from 'react';
import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** What this browser has noted, and beside it what the server knows of the whole organization; under it what other features set there. */
export function SecurityPanel({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <LocalSecurity />
        {/* Its form is for once; the log is read more often and does not wait for it. */}
        <Suspense fallback={null}>{children}</Suspense>
      </div>
      <AuditLog />
    </div>
  );
}
