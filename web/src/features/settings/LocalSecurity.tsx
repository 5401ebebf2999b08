import { sessionRules } from '@tandem/contracts/values';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useSession } from '../../app/api';
import { sessionPhase } from '../../app/session-clock';
import { lastActivityAt } from '../../lib/activity';
import { toLocalTime } from '../../lib/http';
import { clearLocalSecurityEvents, listLocalSecurityEvents } from '../../lib/monitoring';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Time } from '../../ui/Time';
import { isAlert, refreshMs, severityOf, shownEvents, titleOf } from './security-events';
import { SeverityBadge } from './SeverityBadge';

const look = () => ({ events: listLocalSecurityEvents(), now: Date.now() });

/** Security events in this browser, read again every 30 seconds. */
function useLocalSecurity() {
  const [seen, setSeen] = useState(look);
  useEffect(() => {
    const timer = setInterval(() => setSeen(look()), refreshMs);
    return () => clearInterval(timer);
  }, []);
  const clear = () => {
    clearLocalSecurityEvents();
    setSeen(look());
  };
  return { ...seen, clear };
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3 px-4 py-2.5">
      <dt className="text-muted">{label}</dt>
      <dd className="tabular font-medium">{children}</dd>
    </div>
  );
}

function SessionStatus({ now, alert }: { now: number; alert: boolean }) {
  const { idle_expires_at, absolute_expires_at } = useSession();
  const deadlines = { idle: toLocalTime(idle_expires_at), absolute: toLocalTime(absolute_expires_at) };
  // Until its idle deadline the server's session is valid; after it, decide by the activity that this browser has recorded.
  const isOver = now >= deadlines.absolute || (now >= deadlines.idle && sessionPhase(deadlines, lastActivityAt(now), now).phase === 'over');
  return (
    <Card aria-labelledby="session-status">
      <CardHeader id="session-status" title={t('settings.session_status')} />
      <dl className="divide-y">
        <Fact label={t('settings.session')}>
          <Badge tone={isOver ? 'red' : 'green'}>{isOver ? t('settings.expired') : t('settings.active')}</Badge>
        </Fact>
        <Fact label={t('settings.session_timeout')}>{t('settings.idle_minutes_minutes', { idleMinutes: sessionRules.idleMinutes })}</Fact>
        <Fact label={t('settings.security_status')}>
          <Badge tone={alert ? 'red' : 'green'}>
            {alert ? <ShieldAlert aria-hidden /> : <ShieldCheck aria-hidden />}
            {alert ? t('settings.alert') : t('settings.secure')}
          </Badge>
        </Fact>
      </dl>
    </Card>
  );
}

/** Security dashboard with data of this browser only. */
export function LocalSecurity() {
  const { events, now, clear } = useLocalSecurity();
  const shown = events.slice(-shownEvents).reverse();
  return (
    <div className="flex flex-col gap-5">
      <SessionStatus now={now} alert={isAlert(events, now)} />
      <Card aria-labelledby="local-events">
        <CardHeader
          id="local-events"
          title={t('settings.in_this_browser')}
          actions={
            <Button size="sm" onClick={clear} disabled={events.length === 0}>
              {t('settings.clear_logs')}
            </Button>
          }
        />
        {shown.length === 0 ? (
          <EmptyState icon={ShieldCheck} title={t('settings.no_security_events')}>
            {t('settings.unusual_activity_in_this_browser')}
          </EmptyState>
        ) : (
          <ul className="max-h-[28rem] divide-y overflow-y-auto" aria-label={t('settings.security_events_in_this_browser')} tabIndex={0}>
            {shown.map(({ event, timestamp }, index) => (
              <li key={`${timestamp}-${index}`} className="flex items-start justify-between gap-3 px-4 py-2.5">
                <div className="min-w-0">
                  <p className="first-letter:uppercase">{titleOf(event)}</p>
                  <p className="text-xs text-muted">
                    <Time iso={timestamp} />
                  </p>
                </div>
                <SeverityBadge severity={severityOf(event)} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  );
}
