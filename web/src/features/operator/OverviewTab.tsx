import type { Installation } from '@tandem/contracts';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { Rich } from '../../ui/Rich';
import { Time } from '../../ui/Time';
import { Cell, DataTable, formatSeconds, StateBadge } from './parts';

const names = {
  identity: t('operator.identity'),
  tickets: t('operator.tickets'),
  notifications: t('operator.notifications'),
  integrations: t('operator.integrations'),
  analytics: t('operator.analytics'),
};
const serverNames = { nats: 'NATS', redis: 'Redis' };

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2.5">
    <dt className="text-muted">{name}</dt>
    <dd className="min-w-0 break-words">{children}</dd>
  </div>
);

function Update({ update, version }: Pick<Installation, 'update' | 'version'>) {
  if (update.status === 'available')
    return (
      <>
        {version} <StateBadge tone="amber">{t('operator.version_is_available', { version: update.version ?? '' })}</StateBadge>
      </>
    );
  const notes = {
    off: t('operator.update_check_is_off'),
    unknown: t('operator.update_server_does_not_respond'),
    current: t('operator.up_to_date'),
  };
  return (
    <>
      {version} <span className="text-muted">({notes[update.status]})</span>
    </>
  );
}

function Facts({ installation: { version, update, emails, last_backup, servers } }: { installation: Installation }) {
  return (
    <Card>
      <CardHeader title={t('operator.installation')} />
      <dl className="divide-y">
        <Fact name={t('operator.version')}>
          <Update update={update} version={version} />
        </Fact>
        <Fact name={t('operator.last_backup')}>
          {last_backup ? (
            <Rich
              text={t('operator.backup_in_folder', { folder: last_backup.folder })}
              tags={{
                time: () => <Time iso={last_backup.taken_at} relative />,
                folder: (text) => <span className="text-muted">{text}</span>,
              }}
            />
          ) : (
            <StateBadge tone="amber">{t('operator.no_backup_of_this_version')}</StateBadge>
          )}
        </Fact>
        {servers.map(({ name, is_up }) => (
          <Fact key={name} name={serverNames[name]}>
            <StateBadge tone={is_up ? 'green' : 'red'}>{is_up ? t('operator.working') : t('operator.does_not_respond')}</StateBadge>
          </Fact>
        ))}
        <Fact name={t('operator.unsent_emails')}>
          {emails
            ? t('operator.emails_by_state', { due: emails.due, deferred: emails.deferred, scheduled: emails.scheduled })
            : t('operator.emails_are_unknown')}
        </Fact>
        {emails !== null && emails.oldest_seconds > 0 && (
          <Fact name={t('operator.oldest_unsent_email')}>{t('operator.due_for', { time: formatSeconds(emails.oldest_seconds) })}</Fact>
        )}
      </dl>
    </Card>
  );
}

const connectionsText = ({ used, max, waiting }: { used: number; max: number; waiting: number }): string =>
  waiting > 0 ? t('operator.connections_with_waiting', { used, max, waiting }) : t('operator.connections_of_max', { used, max });

function Services({ services }: Pick<Installation, 'services'>) {
  return (
    <Card>
      <CardHeader title={t('operator.services')} />
      <DataTable
        label={t('operator.services')}
        head={[
          t('operator.service'),
          t('operator.state'),
          t('operator.version'),
          t('operator.oldest_unpublished_event'),
          t('operator.dead_letters'),
          t('operator.database_connections'),
        ]}
      >
        {services.map(({ name, state }) => (
          <tr key={name}>
            <Cell className="font-medium">{names[name]}</Cell>
            <Cell>
              {state ? (
                <StateBadge tone="green">{t('operator.working')}</StateBadge>
              ) : (
                <StateBadge tone="red">{t('operator.does_not_respond')}</StateBadge>
              )}
            </Cell>
            <Cell>{state?.version ?? '–'}</Cell>
            <Cell>{state ? formatSeconds(state.outbox_oldest_seconds) : '–'}</Cell>
            <Cell>{state ? state.dead_letters : '–'}</Cell>
            <Cell>{state ? connectionsText(state.connections) : '–'}</Cell>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

function Backlog({ services }: Pick<Installation, 'services'>) {
  const consumers = services.flatMap(({ state }) => state?.consumers ?? []);
  const queues = services.flatMap(({ state }) => state?.queues ?? []);
  return (
    <Card>
      <CardHeader title={t('operator.work_that_waits')} />
      {consumers.length === 0 && <p className="px-4 py-3 text-muted">{t('operator.no_consumer_has_work')}</p>}
      {consumers.length > 0 && (
        <DataTable
          label={t('operator.consumers')}
          head={[t('operator.consumer'), t('operator.not_received'), t('operator.in_work'), t('operator.oldest')]}
        >
          {consumers.map(({ name, pending, unacknowledged, oldest_seconds }) => (
            <tr key={name}>
              <Cell className="font-medium whitespace-nowrap">{name}</Cell>
              <Cell>{pending}</Cell>
              <Cell>{unacknowledged}</Cell>
              <Cell>{formatSeconds(oldest_seconds)}</Cell>
            </tr>
          ))}
        </DataTable>
      )}
      <DataTable
        className="border-t"
        label={t('operator.queues')}
        head={[t('operator.queue'), t('operator.waiting'), t('operator.active'), t('operator.for_later'), t('operator.oldest')]}
      >
        {queues.map(({ name, waiting, active, delayed, oldest_seconds }) => (
          <tr key={name}>
            <Cell className="font-medium whitespace-nowrap">{name}</Cell>
            <Cell>{waiting}</Cell>
            <Cell>{active}</Cell>
            <Cell>{delayed}</Cell>
            <Cell>{formatSeconds(oldest_seconds)}</Cell>
          </tr>
        ))}
      </DataTable>
    </Card>
  );
}

export const OverviewTab = ({ installation }: { installation: Installation }) => (
  <div className="flex flex-col gap-4">
    <Facts installation={installation} />
    <Services services={installation.services} />
    <Backlog services={installation.services} />
  </div>
);
