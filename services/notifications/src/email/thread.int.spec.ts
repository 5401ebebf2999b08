import { newId } from '@tandem/db';
import { sql } from 'kysely';
import { NotificationsUnderTest } from '../../test/notifications';
import { findConversation } from './thread.store';

let notifications: NotificationsUnderTest;
beforeAll(async () => {
  notifications = await NotificationsUnderTest.start();
});

it('reads only the emails of the ticket, although the customer has received thousands', async () => {
  const organization = await notifications.anOrganization();
  const [ticket_id, id] = [newId(), newId()];
  await notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
    // Two are about this ticket, and the others each about another one.
    await sql`insert into emails (id, organization_id, kind, to_address, data, ticket_id, event_id, state, message_id, sent_at)
      select gen_random_uuid(), ${organization.id}, 'ticket_reply', 'carla@example.com', '{}',
        case when i > 2 then gen_random_uuid() else ${ticket_id} end, gen_random_uuid(), 'sent', '<' || i || '@example.com>', now()
      from generate_series(1, 3000) as i`.execute(tx);
  });
  await notifications.db.forTenant({ organization_id: organization.id }, async (tx) => {
    const { sent } = await findConversation(tx, organization.id, ticket_id, { id, to_address: 'carla@example.com' });
    expect(sent.map(({ message_id }) => message_id).sort()).toEqual(['<1@example.com>', '<2@example.com>']);
    const { rows } = await sql<{ read: number }>`
      select (idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'emails'`.execute(tx);
    expect(rows[0]!.read).toBeLessThan(10);
  });
});
