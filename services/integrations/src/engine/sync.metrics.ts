import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@tandem/db';
import { observableGauge, onScrape, type Observation } from '@tandem/platform';
import { sql } from 'kysely';
import type { IntegrationsSchema, IntegrationsTx } from '../schema';

const connections = observableGauge(
  'tandem_task_connections',
  'Connections to task tools: connected, broken (the tool rejects the token), or blocked by its rate limit or because it does not respond',
  ['provider', 'state'],
);
const dueLinks = observableGauge('tandem_task_sync_due_links', 'Tickets and tasks that are due for a sync; at most 10,000', []);
const oldestDue = observableGauge(
  'tandem_task_sync_oldest_due_seconds',
  'How long the oldest ticket or task that is due has been waiting, on connections that can be used; 0 if none is',
  [],
);

/** Reporting stops here, so that a scrape stays cheap during a long outage of a task tool. */
const maxCounted = 10_000;

/** Reports the state of connections to task tools, and the work that waits for them. */
@Injectable()
export class SyncMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #stop: (() => void)[] = [];

  constructor(private readonly db: Database<IntegrationsSchema>) {}

  onApplicationBootstrap(): void {
    this.#stop = [
      onScrape('task connections', [connections], () => this.db.asSystem('states of connections', countConnectionsAcrossOrganizations)),
      onScrape('task sync', [dueLinks, oldestDue], () => this.db.asSystem('work of the task sync', measureDueAcrossOrganizations)),
    ];
  }

  beforeApplicationShutdown(): void {
    for (const stop of this.#stop) stop();
  }
}

const states = ['connected', 'broken', 'rate_limit', 'unreachable'] as const;

/** Reads all connections: an organization has one per task tool. */
async function countConnectionsAcrossOrganizations(tx: IntegrationsTx): Promise<Observation[]> {
  const { rows } = await sql<{ provider: string; state: string; count: number }>`
    select provider, case when state = 'broken' then state when blocked_until > now() then block_reason else 'connected' end as state, count(*)
    from connections where sealed_token is not null or state = 'broken' group by 1, 2`.execute(tx);
  const found = new Map(rows.map(({ provider, state, count }) => [`${provider} ${state}`, count]));
  const providers = [...new Set(rows.map(({ provider }) => provider))];
  return providers.flatMap((provider) =>
    states.map((state) => ({ gauge: connections, value: found.get(`${provider} ${state}`) ?? 0, labels: { provider, state } })),
  );
}

/** Reads the index of due links, the longest waiting first. */
export async function measureDueAcrossOrganizations(tx: IntegrationsTx): Promise<Observation[]> {
  const { rows } = await sql<{ count: number; oldest_seconds: number | null }>`
    select count(*), extract(epoch from now() - min(due.next_sync_at) filter (where c.id is not null))::float as oldest_seconds
    from (
      select organization_id, connection_id, next_sync_at from links where next_sync_at <= now() order by next_sync_at limit ${sql.lit(maxCounted)}
    ) as due
    left join connections c on c.organization_id = due.organization_id and c.id = due.connection_id
      and c.state = 'connected' and c.sealed_token is not null and (c.blocked_until is null or c.blocked_until <= now())`.execute(tx);
  return [
    { gauge: dueLinks, value: rows[0]!.count },
    { gauge: oldestDue, value: rows[0]!.oldest_seconds ?? 0 },
  ];
}
