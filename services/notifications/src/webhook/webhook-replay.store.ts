import type { WebhookDelivery, WebhookReplay } from '@tandem/contracts';
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import type { NotificationsSchema } from '../schema';
import type { WebhookTx } from './webhook-endpoint.store';

export type ReplayRow = Selectable<NotificationsSchema['webhook_replays']>;
type Period = Pick<ReplayRow, 'organization_id' | 'endpoint_id' | 'since' | 'until' | 'which'>;

export const shownReplay = ({ id, endpoint_id, since, until, which, state, total, sent, created_at }: ReplayRow): WebhookReplay => ({
  id,
  endpoint_id,
  since,
  until,
  which,
  state,
  total,
  sent,
  created_at,
});

const statesOf = { missed: ['failed', 'skipped', 'cancelled'], failed: ['failed'], all: ['failed', 'skipped', 'cancelled', 'delivered'] };

/**
 * The events of a period that a replay sends: those that the endpoint wanted when they happened. Events that are still being delivered are
 * left out, and with `missed` and `failed` also those that any delivery has delivered.
 */
const replayed = ({ organization_id, endpoint_id, since, until, which }: Period) => sql`
  from webhook_events e
  join webhook_deliveries d on d.organization_id = e.organization_id and d.event_id = e.id
    and d.endpoint_id = ${endpoint_id} and d.cause = 'event' and d.state = any (${statesOf[which]}::text[])
  where e.organization_id = ${organization_id} and d.organization_id = ${organization_id}
    and e.occurred_at >= ${since} and e.occurred_at <= ${until}
    and (${which} = 'all' or not exists (
      select from webhook_deliveries other
      where other.organization_id = ${organization_id} and other.endpoint_id = ${endpoint_id} and other.event_id = e.id
        and other.cause <> 'event' and other.state in ('delivered', 'pending')))`;

export const countReplayed = async (tx: WebhookTx, period: Period): Promise<number> =>
  (await sql<{ count: number }>`select count(*) as count ${replayed(period)}`.execute(tx)).rows[0]!.count;

interface ReplayedEvent {
  position: number;
  event_id: string;
  event: WebhookDelivery['event'];
  ticket_id: string | null;
  ticket_number: string | null;
  payload: 'full' | 'thin';
}
export const findReplayed = async (
  tx: WebhookTx,
  replay: Period & Pick<ReplayRow, 'last_position'>,
  limit: number,
): Promise<ReplayedEvent[]> =>
  (
    await sql<ReplayedEvent>`
      select e.position, e.id as event_id, e.type as event, e.ticket_id, e.ticket_number, d.payload
      ${replayed(replay)} and e.position > ${replay.last_position} order by e.position limit ${limit}`.execute(tx)
  ).rows;

export const insertReplay = (tx: WebhookTx, row: Insertable<NotificationsSchema['webhook_replays']>): Promise<ReplayRow> =>
  tx.insertInto('webhook_replays').values(row).returningAll().executeTakeFirstOrThrow();

export const findReplays = (tx: WebhookTx, organization_id: string, endpoint_id: string): Promise<ReplayRow[]> =>
  tx
    .selectFrom('webhook_replays')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('endpoint_id', '=', endpoint_id)
    .orderBy('created_at', 'desc')
    .limit(100)
    .execute();

export const findReplayForUpdate = (tx: WebhookTx, organization_id: string, id: string): Promise<ReplayRow | undefined> =>
  tx
    .selectFrom('webhook_replays')
    .selectAll()
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();

export const updateReplay = (
  tx: WebhookTx,
  { organization_id, id }: Pick<ReplayRow, 'organization_id' | 'id'>,
  changes: Updateable<NotificationsSchema['webhook_replays']>,
): Promise<ReplayRow> =>
  tx
    .updateTable('webhook_replays')
    .set(changes)
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

export async function cancelReplayed(tx: WebhookTx, { organization_id, id }: ReplayRow): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'cancelled', next_attempt_at: null })
    .where('organization_id', '=', organization_id)
    .where('replay_id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

export const findDueReplaysAcrossOrganizations = (tx: WebhookTx): Promise<{ organization_id: string; id: string }[]> =>
  tx
    .selectFrom('webhook_replays')
    .select(['organization_id', 'id'])
    .where('state', '=', 'running')
    .where('next_batch_at', '<=', sql<string>`now()`)
    .orderBy('next_batch_at')
    .limit(500)
    .execute();
