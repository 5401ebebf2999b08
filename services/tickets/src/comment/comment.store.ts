import type { Comment, Page, PageQuery } from '@tandem/contracts';
import { fixedQuery, pageQuery, paginate, readPage } from '@tandem/db';
import { sql } from 'kysely';
import { commentFiles } from '../attachment/attachment.store';
import type { CommentRow, TicketsTx } from '../schema';

const author = sql<Comment['author']>`case when m.user_id is not null then json_build_object(
  'first_name', m.first_name, 'last_name', m.last_name) end`.as('author');

const withAuthor = (tx: TicketsTx) =>
  tx
    .selectFrom('comments as c')
    .leftJoin('members as m', (join) => join.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.user_id', '=', 'c.user_id'))
    .select([
      'c.id',
      'c.ticket_id',
      'c.content',
      'c.is_internal',
      'c.is_from_customer',
      'c.user_id',
      'c.customer_email',
      'c.created_at',
      'c.mentions',
      'c.merged_from_id',
      'c.has_original',
      'c.email_proof',
      'c.tool_author',
      'c.imported_author',
      'c.token',
      'c.rule',
      author,
      commentFiles.as('attachments'),
    ]);

export async function insertComment(tx: TicketsTx, comment: CommentRow): Promise<Comment> {
  await tx.insertInto('comments').values(comment).execute();
  return withAuthor(tx).where('c.id', '=', comment.id).executeTakeFirstOrThrow();
}

/** The ticket's stored number of comments, without counting. Undefined if there is no such ticket. */
export async function countComments(tx: TicketsTx, ticket_id: string): Promise<number | undefined> {
  const ticket = await tx.selectFrom('tickets').select('comment_count').where('id', '=', ticket_id).executeTakeFirst();
  return ticket?.comment_count;
}

/** Includes internal notes. The cost of a page does not depend on its position or on the length of the conversation. */
export const findComments = (
  tx: TicketsTx,
  ticket_id: string,
  { order, ...page }: PageQuery & { order: 'asc' | 'desc' },
  total: Promise<number>,
): Promise<Page<Comment>> => {
  const options = { ...page, ...inOrder[order], total };
  if (page.cursor !== undefined) return paginate(tx, withAuthor(tx).where('c.ticket_id', '=', ticket_id), options);
  const read = async (rows: number, offset: number) => (await tx.executeQuery(commentsOf[order](tx, ticket_id, rows, offset))).rows;
  return readPage(read, () => total, options);
};

const orderBy = ['c.created_at', 'c.id'];
const inOrder = { asc: { orderBy, direction: 'asc' }, desc: { orderBy, direction: 'desc' } } as const;
const queryOf = (order: 'asc' | 'desc') =>
  fixedQuery((tx: TicketsTx, ticket_id: string, rows: number, offset: number) =>
    pageQuery(withAuthor(tx).where('c.ticket_id', '=', ticket_id), inOrder[order])
      .limit(rows)
      .offset(offset),
  );
const commentsOf = { asc: queryOf('asc'), desc: queryOf('desc') };

/**
 * Whether another author has commented after `seen_id`, the last comment that the writer has seen (null or one of another ticket: none).
 * API tokens have no user id, so for them every comment is another author's. The newest such comment is found from the end of the index,
 * over no more rows than the writer has written since. A range that starts at the seen comment would not use the index, because under
 * row-level security a condition with a subquery does not.
 */
export async function isOutdated(tx: TicketsTx, ticket_id: string, seen_id: string | null, writer: string | null): Promise<boolean> {
  const { rows } = await sql<{ is_newer: boolean }>`
    select coalesce((newest.created_at, newest.id) > (seen.created_at, seen.id), true) as is_newer
    from (
      select created_at, id from comments
      where ticket_id = ${ticket_id} and (user_id is null or ${writer}::uuid is null or user_id <> ${writer}::uuid)
      order by created_at desc, id desc
      limit 1
    ) newest
    left join comments seen on seen.id = ${seen_id}::uuid and seen.ticket_id = ${ticket_id}`.execute(tx);
  return rows[0]?.is_newer ?? false;
}

/**
 * A page of public comments, latest first. Internal notes are filtered by a partial index without them, so that the cost of a page does not
 * depend on their number. Callers that need `total` get it from `countPublicComments`.
 */
export const findPublicComments = (tx: TicketsTx, ticket_id: string, page: PageQuery, total = 0): Promise<Page<Comment>> =>
  paginate(tx, withAuthor(tx).where('c.ticket_id', '=', ticket_id).where('c.is_internal', '=', false), {
    ...page,
    orderBy: ['c.created_at', 'c.id'],
    total,
  });

/** The number of public comments, counted up to one beyond `cap`. The ticket's own counter also includes internal notes. */
export async function countPublicComments(tx: TicketsTx, ticket_id: string, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from (
    select 1 from comments where ticket_id = ${ticket_id} and is_internal = false limit ${cap + 1}) counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** The texts of the team's replies to the customer, without those that rules wrote, the oldest first. */
export const findPublicReplies = (tx: TicketsTx, ticket_id: string, limit: number): Promise<Pick<Comment, 'content'>[]> =>
  tx
    .selectFrom('comments')
    .select('content')
    .where('ticket_id', '=', ticket_id)
    .where('is_internal', '=', false)
    .where('is_from_customer', '=', false)
    .where('rule', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
    .execute();
