import type { ReadPosition } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

export interface ReadKey {
  organization_id: string;
  user_id: string;
  ticket_id: string;
}

/** Undefined if there is no such ticket. */
export const findReadPosition = (tx: TicketsTx, { organization_id, user_id, ticket_id }: ReadKey): Promise<ReadPosition | undefined> =>
  tx
    .selectFrom('tickets as t')
    .leftJoin('ticket_reads as r', (join) =>
      join.on('r.organization_id', '=', organization_id).on('r.user_id', '=', user_id).onRef('r.ticket_id', '=', 't.id'),
    )
    .select('r.read_until')
    .where('t.id', '=', ticket_id)
    .executeTakeFirst();

/** Moves a position forward, but not past what the ticket has. Undefined if it was there already, or if there is no such ticket. */
export function moveForward(tx: TicketsTx, { organization_id, user_id, ticket_id }: ReadKey, until: string) {
  const newest = sql<string>`coalesce(t.last_comment_at, t.created_at)`;
  return tx
    .insertInto('ticket_reads')
    .columns(['organization_id', 'user_id', 'ticket_id', 'read_until'])
    .expression((eb) =>
      eb
        .selectFrom('tickets as t')
        .select([
          sql<string>`${organization_id}::uuid`.as('organization_id'),
          sql<string>`${user_id}::uuid`.as('user_id'),
          't.id',
          sql<string>`least(${newest}, ${until}::timestamptz)`.as('read_until'),
        ])
        .where('t.id', '=', ticket_id),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id', 'ticket_id'])
        .doUpdateSet((eb) => ({ read_until: eb.ref('excluded.read_until') }))
        .where('ticket_reads.read_until', '<', (eb) => eb.ref('excluded.read_until')),
    )
    .returning('read_until')
    .executeTakeFirst();
}

/** Moves a position to before the newest comment, or before the ticket. Undefined if there is no such ticket. */
export function moveBack(tx: TicketsTx, { organization_id, user_id, ticket_id }: ReadKey) {
  return tx
    .insertInto('ticket_reads')
    .columns(['organization_id', 'user_id', 'ticket_id', 'read_until'])
    .expression((eb) =>
      eb
        .selectFrom('tickets as t')
        .select([
          sql<string>`${organization_id}::uuid`.as('organization_id'),
          sql<string>`${user_id}::uuid`.as('user_id'),
          't.id',
          sql<string>`coalesce(t.last_comment_at, t.created_at) - interval '1 millisecond'`.as('read_until'),
        ])
        .where('t.id', '=', ticket_id),
    )
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'user_id', 'ticket_id']).doUpdateSet((eb) => ({ read_until: eb.ref('excluded.read_until') })),
    )
    .returning('read_until')
    .executeTakeFirst();
}
