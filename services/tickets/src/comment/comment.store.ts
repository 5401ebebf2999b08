import type { Comment, Page, PageQuery } from '@tandem/contracts';
import { paginate } from '@tandem/db';
import { sql } from 'kysely';
import type { CommentRow, TicketsTx } from '../schema';

const author = sql<Comment['author']>`case when m.user_id is not null then json_build_object(
  'first_name', m.first_name, 'last_name', m.last_name) end`.as('author');

/** The files of comment `c`. */
const attachments = sql<Comment['attachments']>`'[]'::json`.as('attachments');

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
      author,
      attachments,
    ]);

export async function insertComment(tx: TicketsTx, comment: CommentRow): Promise<Comment> {
  await tx.insertInto('comments').values(comment).execute();
  return withAuthor(tx).where('c.id', '=', comment.id).executeTakeFirstOrThrow();
}

/** Oldest first; internal notes included. */
export const findComments = (tx: TicketsTx, ticket_id: string, page: PageQuery): Promise<Page<Comment>> =>
  paginate(tx, withAuthor(tx).where('c.ticket_id', '=', ticket_id), { ...page, orderBy: ['c.created_at', 'c.id'], direction: 'asc' });

/** The whole conversation as the customer may read it: internal notes are left behind in the database. */
export const findPublicComments = (tx: TicketsTx, ticket_id: string): Promise<Comment[]> =>
  withAuthor(tx).where('c.ticket_id', '=', ticket_id).where('c.is_internal', '=', false).orderBy('c.created_at').orderBy('c.id').execute();
