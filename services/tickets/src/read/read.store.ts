import type { ReadPosition } from '@tandem/contracts';
import { sql, type RawBuilder } from 'kysely';
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

const newest = sql<string>`coalesce(t.last_comment_at, t.created_at)`;

/** Inserts a position for an existing ticket; the caller decides about one that is stored already. */
const insertPosition = (tx: TicketsTx, { organization_id, user_id, ticket_id }: ReadKey, read_until: RawBuilder<string>) =>
  tx
    .insertInto('ticket_reads')
    .columns(['organization_id', 'user_id', 'ticket_id', 'read_until'])
    .expression((eb) =>
      eb
        .selectFrom('tickets as t')
        .select([
          sql<string>`${organization_id}::uuid`.as('organization_id'),
          sql<string>`${user_id}::uuid`.as('user_id'),
          't.id',
          read_until.as('read_until'),
        ])
        .where('t.id', '=', ticket_id),
    )
    .returning('read_until');
const key = ['organization_id', 'user_id', 'ticket_id'] as const;

/** Moves a position forward, but not past the newest comment. Undefined if it was there already, or if there is no such ticket. */
export const moveForward = (tx: TicketsTx, of: ReadKey, until: string) =>
  insertPosition(tx, of, sql<string>`least(${newest}, ${until}::timestamptz)`)
    .onConflict((conflict) =>
      conflict
        .columns(key)
        .doUpdateSet((eb) => ({ read_until: eb.ref('excluded.read_until') }))
        .where('ticket_reads.read_until', '<', (eb) => eb.ref('excluded.read_until')),
    )
    .executeTakeFirst();

/** Moves a position to before the newest comment, or before the ticket. Undefined if there is no such ticket. */
export const moveBack = (tx: TicketsTx, of: ReadKey) =>
  insertPosition(tx, of, sql<string>`${newest} - interval '1 millisecond'`)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet((eb) => ({ read_until: eb.ref('excluded.read_until') })))
    .executeTakeFirst();
