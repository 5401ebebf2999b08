import type { ExportLine } from '@tandem/contracts';
import { sql } from 'kysely';
import { canonicalMailbox } from '../mail-in/mail';
import type { TicketsTx } from '../schema';

/** Tickets of other customers on which this one has written, or is in Cc. Reads all comments and tickets: neither has an index for it. */
export async function findOtherTicketLines(tx: TicketsTx, email: string): Promise<ExportLine<'other_tickets.jsonl'>[]> {
  const { rows } = await sql<ExportLine<'other_tickets.jsonl'>>`
    select id as ticket, ticket_number as number, cc @> array[${email}] as is_in_cc from tickets
    where customer_email <> ${email}
      and (cc @> array[${email}] or id in (select ticket_id from comments where customer_email = ${email}))
    order by created_at, id`.execute(tx);
  return rows;
}

/** The log of the customer's emails, also of those that belong to no ticket. */
export const findReceivedEmails = (tx: TicketsTx, organization_id: string, email: string): Promise<ExportLine<'received_emails.jsonl'>[]> =>
  tx
    .selectFrom('inbound_mails')
    .select(['to_address as to', 'from_address as from', 'subject', 'outcome', 'ticket_id as ticket', 'received_at'])
    .where('organization_id', '=', organization_id)
    .where(isSentBy(email))
    .orderBy('received_at')
    .orderBy('id')
    .execute();

/** Emails from an address. The column with an index has no `+tag`, so it also matches other addresses of the mailbox. */
export const isSentBy = (email: string) => sql<boolean>`(
  (sender_mailbox = ${canonicalMailbox(email)} and lower(from_address) = ${email}) or lower(envelope_from) = ${email})`;
