import type { Assignee } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TaskCommentRow, TicketsTx } from '../schema';

/** Of the event that linked or unlinked the ticket's task last. The caller has locked the ticket. */
export async function findTaskSequence(tx: TicketsTx, ticket_id: string): Promise<number> {
  const { task_sequence } = await tx.selectFrom('tickets').select('task_sequence').where('id', '=', ticket_id).executeTakeFirstOrThrow();
  return task_sequence;
}

/** Notes which event spoke last, where it changed nothing else. */
export async function noteTaskSequence(tx: TicketsTx, ticket_id: string, task_sequence: number): Promise<void> {
  await tx.updateTable('tickets').set({ task_sequence }).where('id', '=', ticket_id).execute();
}

/** False where this comment of the ticket's task is here already. */
export async function insertTaskComment(tx: TicketsTx, comment: TaskCommentRow): Promise<boolean> {
  const added = await tx
    .insertInto('task_comments')
    .values(comment)
    .onConflict((conflict) => conflict.columns(['organization_id', 'ticket_id', 'external_id']).doNothing())
    .returning('external_id')
    .executeTakeFirst();
  return added !== undefined;
}

export const findMember = (tx: TicketsTx, user_id: string): Promise<Pick<Assignee, 'email'> | undefined> =>
  tx.selectFrom('members').select('email').where('user_id', '=', user_id).executeTakeFirst();

/** The active member of an address, whatever its case. Locked as in `isActiveMember`: who is being deactivated is not given a ticket. */
export const findActiveMemberByEmail = (tx: TicketsTx, email: string): Promise<Pick<Assignee, 'user_id'> | undefined> =>
  tx
    .selectFrom('members')
    .select('user_id')
    .where(sql<string>`lower(email)`, '=', email.trim().toLowerCase())
    .where('is_active', '=', true)
    .orderBy('user_id')
    .limit(1)
    .forShare()
    .executeTakeFirst();
