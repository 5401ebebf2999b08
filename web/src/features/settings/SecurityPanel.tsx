import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** What this browser has noted, and beside it what the server knows of the whole organization. */
export function SecurityPanel() {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <LocalSecurity />
      <AuditLog />
    </div>
  );
}
