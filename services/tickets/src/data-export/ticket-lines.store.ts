import type { Activity, Comment, Ticket, TicketRecord } from '@tandem/contracts';
import { currentOrganizationId } from '@tandem/db';
import { sql } from 'kysely';
import { isoTime } from '../rule/rule.store';
import type { AttachmentRow, MailOriginalRow, TicketsTx } from '../schema';

// The orders do not depend on ids, except among equal rows: an export of an imported export has the same order. Each query is a page whose
// position is that of the last row before it, and reads the given tickets with their indexes.

export type TicketLineRow = Pick<
  Ticket,
  | 'id'
  | 'ticket_number'
  | 'subject'
  | 'description'
  | 'status'
  | 'priority'
  | 'category'
  | 'tags'
  | 'channel'
  | 'customer_email'
  | 'customer_name'
  | 'cc'
  | 'language'
  | 'assigned_to'
  | 'custom_fields'
  | 'created_at'
  | 'updated_at'
  | 'resolved_at'
  | 'external_id'
  | 'watchers'
  | 'customer_verified'
  | 'follow_up_of_id'
  | 'merged_into_id'
  | 'first_response_at'
  | 'first_response_time_hours'
  | 'resolution_time_hours'
  | 'sla_breached_at'
  | 'escalated_at'
  | 'snoozed_at'
  | 'snoozed_until'
  | 'anonymized_at'
  | 'comment_count'
  | 'public_reply_count'
  | 'last_comment_at'
  | 'customer_replied_last'
> & {
  is_quiet: boolean;
  open_periods: NonNullable<TicketRecord['open_periods']>;
  survey_sent_at: string | null;
  rating: number | null;
  feedback: string | null;
  answered_at: string | null;
};

/** By creation, then number. `customer_email`: only the tickets of this customer. */
export async function findTicketPage(
  tx: TicketsTx,
  customer_email: string | null,
  after: TicketLineRow | undefined,
  limit: number,
): Promise<TicketLineRow[]> {
  const { rows } = await sql<TicketLineRow>`
    select t.id, t.ticket_number, t.subject, t.description, t.status, t.priority, t.category, t.tags, t.channel, t.customer_email,
      t.customer_name, t.cc, t.language, t.assigned_to, t.custom_fields, t.created_at, t.updated_at, t.resolved_at, t.external_id, t.watchers,
      t.customer_verified, t.follow_up_of_id, t.merged_into_id, t.first_response_at, t.first_response_time_hours, t.resolution_time_hours,
      t.sla_breached_at, t.escalated_at, t.snoozed_at, t.snoozed_until, t.anonymized_at, t.comment_count, t.public_reply_count, t.last_comment_at,
      t.customer_replied_last, q.ticket_id is not null as is_quiet,
      (select coalesce(json_agg(json_build_object(
          'opened_at', ${isoTime('p.opened_at')},
          'resolved_at', case when p.resolved_at < 'infinity' then ${isoTime('p.resolved_at')} end,
          'is_reopened', p.is_reopened) order by p.opened_at), '[]')
        from open_periods p where p.organization_id = t.organization_id and p.ticket_id = t.id) as open_periods,
      s.sent_at as survey_sent_at, a.rating, a.feedback, a.created_at as answered_at
    from tickets t
    left join quiet_tickets q on q.organization_id = t.organization_id and q.ticket_id = t.id
    left join sent_surveys s on s.organization_id = t.organization_id and s.ticket_id = t.id
    left join surveys a on a.organization_id = t.organization_id and a.ticket_id = t.id
    where ${customer_email === null ? sql`true` : sql`t.customer_email = ${customer_email} and t.anonymized_at is null`} and ${after === undefined ? sql`true` : sql`(t.created_at, t.ticket_number collate "C") > (${after.created_at}::timestamptz, ${after.ticket_number})`}
    order by t.created_at, t.ticket_number collate "C" limit ${limit}`.execute(tx);
  return rows;
}

/** `place` is that of the ticket among the given ones. */
interface Placed {
  place: number;
}
const placesOf = (ids: readonly string[]) => sql`unnest(${ids}::uuid[]) with ordinality as x (id, place)`;
/** Part of a join with `comments c`. Null: of any author. */
const writtenBy = (author: string | null) => (author === null ? sql`` : sql`and c.customer_email = ${author}`);
const zeroId = '00000000-0000-0000-0000-000000000000';
const firstTime = '-infinity';

export type CommentLineRow = Placed &
  Pick<
    Comment,
    | 'id'
    | 'ticket_id'
    | 'content'
    | 'is_internal'
    | 'is_from_customer'
    | 'user_id'
    | 'customer_email'
    | 'mentions'
    | 'token'
    | 'rule'
    | 'tool_author'
    | 'email_proof'
    | 'merged_from_id'
    | 'created_at'
  > & { content_hash: string };

/** By time, then text. */
export async function findCommentPage(
  tx: TicketsTx,
  ids: readonly string[],
  after: CommentLineRow | undefined,
  limit: number,
  author: string | null = null,
): Promise<CommentLineRow[]> {
  const { rows } = await sql<CommentLineRow>`
    select x.place::int, c.id, c.ticket_id, c.content, c.is_internal, c.is_from_customer, c.user_id, c.customer_email, c.mentions, c.token, c.rule,
      c.tool_author, c.email_proof, c.merged_from_id, c.created_at, md5(c.content) as content_hash
    from ${placesOf(ids)} join comments c on c.ticket_id = x.id ${writtenBy(author)}
    where x.place >= ${after?.place ?? 0}::int and (x.place, c.created_at, md5(c.content) collate "C", c.id)
      > (${after?.place ?? 0}::int, ${after?.created_at ?? firstTime}::timestamptz, ${after?.content_hash ?? ''}, ${after?.id ?? zeroId}::uuid)
    order by x.place, c.created_at, md5(c.content) collate "C", c.id limit ${limit}`.execute(tx);
  return rows;
}

export type HistoryLineRow = Placed &
  Pick<Activity, 'id' | 'ticket_id' | 'kind' | 'actor_type' | 'user_id' | 'token' | 'rule' | 'changes' | 'created_at'>;

/** By time, then kind. */
export async function findHistoryPage(
  tx: TicketsTx,
  ids: readonly string[],
  after: HistoryLineRow | undefined,
  limit: number,
): Promise<HistoryLineRow[]> {
  const { rows } = await sql<HistoryLineRow>`
    select x.place::int, h.id, h.ticket_id, h.kind, h.actor_type, h.user_id, h.token, h.rule, h.changes, h.created_at
    from ${placesOf(ids)} join activities h on h.ticket_id = x.id
    where x.place >= ${after?.place ?? 0}::int and (x.place, h.created_at, h.kind collate "C", h.id)
      > (${after?.place ?? 0}::int, ${after?.created_at ?? firstTime}::timestamptz, ${after?.kind ?? ''}, ${after?.id ?? zeroId}::uuid)
    order by x.place, h.created_at, h.kind collate "C", h.id limit ${limit}`.execute(tx);
  return rows;
}

export type FileLineRow = Placed &
  Pick<AttachmentRow, 'id' | 'ticket_id' | 'comment_id' | 'file_name' | 'size' | 'created_at'> & { comment_at: string | null };

/** The table is readable for the system as well, so the query filters by organization. Those of the description first, then by the time of their comment; by upload and name. */
export async function findFilePage(
  tx: TicketsTx,
  ids: readonly string[],
  after: FileLineRow | undefined,
  limit: number,
  author: string | null = null,
): Promise<FileLineRow[]> {
  const { rows } = await sql<FileLineRow>`
    select x.place::int, f.id, f.ticket_id, f.comment_id, f.file_name, f.size, f.created_at, c.created_at as comment_at
    from ${placesOf(ids)} join attachments f on f.organization_id = ${currentOrganizationId} and f.ticket_id = x.id
    ${author === null ? sql`left join` : sql`join`} comments c on c.organization_id = f.organization_id and c.id = f.comment_id ${writtenBy(author)}
    where x.place >= ${after?.place ?? 0}::int
      and (x.place, coalesce(c.created_at, '-infinity'), f.created_at, f.file_name collate "C", f.id) > (${after?.place ?? 0}::int,
        ${after?.comment_at ?? firstTime}::timestamptz, ${after?.created_at ?? firstTime}::timestamptz, ${after?.file_name ?? ''}, ${after?.id ?? zeroId}::uuid)
    order by x.place, coalesce(c.created_at, '-infinity'), f.created_at, f.file_name collate "C", f.id limit ${limit}`.execute(tx);
  return rows;
}

export type OriginalLineRow = Placed &
  Pick<MailOriginalRow, 'ticket_id' | 'comment_id' | 'from_address' | 'subject' | 'sent_at' | 'text' | 'quoted_text' | 'html'>;

export async function findOriginalPage(
  tx: TicketsTx,
  ids: readonly string[],
  after: OriginalLineRow | undefined,
  limit: number,
  author: string | null = null,
): Promise<OriginalLineRow[]> {
  // Of the last row; before the first, that of a ticket without a comment also comes later.
  const afterComment = after === undefined ? null : (after.comment_id ?? zeroId);
  const { rows } = await sql<OriginalLineRow>`
    select x.place::int, o.ticket_id, o.comment_id, o.from_address, o.subject, o.sent_at, o.text, o.quoted_text, o.html
    from ${placesOf(ids)} join mail_originals o on o.ticket_id = x.id
    ${author === null ? sql`` : sql`join comments c on c.organization_id = o.organization_id and c.id = o.comment_id ${writtenBy(author)}`}
    where ${afterComment === null ? sql`true` : sql`(x.place, coalesce(o.comment_id, ${zeroId}::uuid)) > (${after!.place}::int, ${afterComment}::uuid)`}
    order by x.place, coalesce(o.comment_id, ${zeroId}::uuid) limit ${limit}`.execute(tx);
  return rows;
}

/** An estimate of the lines of an archive, without those of other services. */
export async function countLines(tx: TicketsTx, organization_id: string): Promise<number> {
  const tables = ['tickets', 'comments', 'activities', 'attachments', 'articles', 'article_versions', 'mail_originals'];
  const counts = tables.map((table) => sql`(select count(*) from ${sql.table(table)} where organization_id = ${organization_id}::uuid)`);
  const { rows } = await sql<{ count: number }>`select (${sql.join(counts, sql` + `)})::int as count`.execute(tx);
  return rows[0]!.count;
}
