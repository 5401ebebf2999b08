import type { Installation } from '@tandem/contracts';
import { Card, CardHeader } from '../../ui/Card';
import { Time } from '../../ui/Time';
import { Cell, DataTable, formatSeconds, StateBadge } from './parts';

const names = {
  identity: 'Identity',
  tickets: 'Tickets',
  notifications: 'Notifications',
  integrations: 'Integrations',
  analytics: 'Analytics',
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
        {version} <StateBadge tone="amber">Version {update.version} is available</StateBadge>
      </>
    );
  const notes = { off: 'update check is off', unknown: 'update server does not respond', current: 'up to date' };
  return (
    <>
      {version} <span className="text-muted">({notes[update.status]})</span>
    </>
  );
}

function Facts({ installation: { version, update, emails, last_backup, servers } }: { installation: Installation }) {
  return (
    <Card>
      <CardHeader title="Installation" />
      <dl className="divide-y">
        <Fact name="Version">
          <Update update={update} version={version} />
        </Fact>
        <Fact name="Last backup">
          {last_backup ? (
            <>
              <Time iso={last_backup.taken_at} relative /> <span className="text-muted">in {last_backup.folder}</span>
            </>
          ) : (
            <StateBadge tone="amber">None since this version was installed</StateBadge>
          )}
        </Fact>
        {servers.map(({ name, is_up }) => (
          <Fact key={name} name={serverNames[name]}>
            <StateBadge tone={is_up ? 'green' : 'red'}>{is_up ? 'Working' : 'Does not respond'}</StateBadge>
          </Fact>
        ))}
        <Fact name="Unsent emails">
          {emails
            ? `${emails.due} due, ${emails.deferred} after a failed attempt, ${emails.scheduled} for later`
            : 'Unknown: Notifications does not respond'}
        </Fact>
        {emails !== null && emails.oldest_seconds > 0 && (
          <Fact name="Oldest unsent email">due for {formatSeconds(emails.oldest_seconds)}</Fact>
        )}
      </dl>
    </Card>
  );
}

function Services({ services }: Pick<Installation, 'services'>) {
  return (
    <Card>
      <CardHeader title="Services" />
      <DataTable
        label="Services"
        head={['Service', 'State', 'Version', 'Oldest unpublished event', 'Dead letters', 'Database connections']}
      >
        {services.map(({ name, state }) => (
          <tr key={name}>
            <Cell className="font-medium">{names[name]}</Cell>
            <Cell>{state ? <StateBadge tone="green">Working</StateBadge> : <StateBadge tone="red">Does not respond</StateBadge>}</Cell>
            <Cell>{state?.version ?? '–'}</Cell>
            <Cell>{state ? formatSeconds(state.outbox_oldest_seconds) : '–'}</Cell>
            <Cell>{state ? state.dead_letters : '–'}</Cell>
            <Cell>
              {state ? `${state.connections.used} of ${state.connections.max}` : '–'}
              {state !== null && state.connections.waiting > 0 && `, ${state.connections.waiting} waiting`}
            </Cell>
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
      <CardHeader title="Work that waits" />
      {consumers.length === 0 && <p className="px-4 py-3 text-muted">All consumers have finished their events.</p>}
      {consumers.length > 0 && (
        <DataTable label="Consumers" head={['Consumer', 'Not received', 'In work', 'Oldest']}>
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
      <DataTable className="border-t" label="Queues" head={['Queue', 'Waiting', 'Active', 'For later', 'Oldest']}>
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
