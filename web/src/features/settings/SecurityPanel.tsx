import { SsoCard } from '../sso/SsoCard';
import { AuditLog } from './AuditLog';
import { LocalSecurity } from './LocalSecurity';

/** What this browser has noted, and beside it what the server knows of the whole organization. */
export function SecurityPanel() {
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[19rem_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <LocalSecurity />
        <SsoCard />
      </div>
      <AuditLog />
    </div>
  );
}
