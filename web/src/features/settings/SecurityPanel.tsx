import { Suspense, type ReactNode } from 'react';
import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** Events of this browser on the left, with other features' settings (`children`) below; the organization's audit log on the right. */
export function SecurityPanel({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <LocalSecurity />
        {/* Loaded separately, because it is used rarely and the log is read often. */}
        <Suspense fallback={null}>{children}</Suspense>
      </div>
      <AuditLog />
    </div>
  );
}
