import { executePrepared, fixedQuery, type Tx } from '@tandem/db';
import { sql } from 'kysely';
import type { NotificationsSchema } from '../schema';
import type { Email } from './email.store';

type ThreadTx = Tx<NotificationsSchema>;

/** At most this many emails of a conversation are read in each direction. */
const latest = 20;

/** Both lists are oldest first. */
export interface Conversation {
  received: { message_id: string; mail_references: string[]; subject: string | null; received_at: string }[];
  sent: { message_id: string; sent_at: string }[];
}

/**
 * The emails that were sent to one address about a ticket, except one of them. `offset 0` makes PostgreSQL read the emails of the ticket first:
 * it could also choose the index on addresses, and some customers have received thousands of emails.
 */
const sentMails = (tx: ThreadTx, organization_id: string, ticket_id: string, to_address: string, id: string) =>
  tx
    .selectFrom((source) =>
      source
        .selectFrom('emails')
        .select(['id', 'to_address', 'message_id', 'created_at', 'sent_at'])
        .where('organization_id', '=', organization_id)
        .where('ticket_id', '=', ticket_id)
        .offset(sql.lit(0))
        .as('emails'),
    )
    .select([sql<boolean>`false`.as('is_received'), 'message_id'])
    .select([sql<string[]>`array[]::text[]`.as('mail_references'), sql<string | null>`null`.as('subject'), 'sent_at as at'])
    .$narrowType<{ at: string }>()
    .where('to_address', '=', to_address)
    .where('id', '<>', id)
    .where('sent_at', 'is not', null);

/** The latest emails in both directions, oldest first. One query for both, prepared: it runs for every email to a customer. */
const latestMails = fixedQuery((tx: ThreadTx, organization_id: string, ticket_id: string, to_address: string, id: string) => {
  const received = tx
    .selectFrom('received_messages')
    .select([sql<boolean>`true`.as('is_received'), 'message_id', 'mail_references', 'subject', 'received_at as at'])
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .orderBy('received_at', 'desc')
    .limit(latest);
  const sent = sentMails(tx, organization_id, ticket_id, to_address, id).orderBy('created_at', 'desc').limit(latest);
  return tx
    .selectFrom(received.as('received'))
    .selectAll()
    .unionAll(tx.selectFrom(sent.as('sent')).selectAll())
    .orderBy('at');
});

/** The known emails between a ticket and one address. `sent` has the first one and the latest ones. One query, or two for more than 20. */
export async function findConversation(
  tx: ThreadTx,
  organization_id: string,
  ticket_id: string,
  { id, to_address }: Pick<Email, 'id' | 'to_address'>,
): Promise<Conversation> {
  const { rows: all } = await executePrepared(tx, latestMails(tx, organization_id, ticket_id, to_address, id));
  const [known = [], sent = []] = [true, false].map((is_received) => all.filter((mail) => mail.is_received === is_received));
  const first =
    sent.length < latest ? [] : await sentMails(tx, organization_id, ticket_id, to_address, id).orderBy('created_at').limit(1).execute();
  return {
    received: known.map(({ message_id, mail_references, subject, at }) => ({ message_id, mail_references, subject, received_at: at })),
    sent: [...first, ...sent].map(({ message_id, at }) => ({ message_id, sent_at: at })),
  };
}

/** Saves a received email and deletes all but the latest 20 of the ticket. */
export async function saveReceivedMessage(
  tx: ThreadTx,
  message: {
    organization_id: string;
    ticket_id: string;
    message_id: string;
    mail_references: string[];
    subject: string | null;
    received_at: string;
  },
): Promise<void> {
  await tx
    .insertInto('received_messages')
    .values(message)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id', 'message_id']).doNothing())
    .execute();
  const { organization_id, ticket_id } = message;
  const ofTicket = tx
    .selectFrom('received_messages')
    .select('message_id')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .orderBy('received_at', 'desc')
    .offset(latest);
  await tx
    .deleteFrom('received_messages')
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('message_id', 'in', ofTicket)
    .execute();
}
