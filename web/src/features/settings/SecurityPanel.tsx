import { Suspense, type ReactNode } from 'react';
import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** Events of this browser on the left, with other features' settings (`children`) below; the organization's audit log on the right. */
export function SecurityPanel({ children }: { children: ReactNode }) {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <LocalSecurity />
        {/* Used rarely, while the log is read often and does not wait for it. */}
        <Suspense fallback={null}>{children}</Suspense>
      </div>
      <AuditLog />
    </div>
  );
}
