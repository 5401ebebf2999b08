import type { Assignee } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TaskCommentRow, TicketsTx } from '../schema';

/** Sequence of the event that last linked or unlinked the ticket's task. The caller must have locked the ticket. */
export async function findTaskSequence(tx: TicketsTx, ticket_id: string): Promise<number> {
  const { task_sequence } = await tx.selectFrom('tickets').select('task_sequence').where('id', '=', ticket_id).executeTakeFirstOrThrow();
  return task_sequence;
}

/** Saves the sequence of an event that changed nothing else. */
export async function saveTaskSequence(tx: TicketsTx, ticket_id: string, task_sequence: number): Promise<void> {
  await tx.updateTable('tickets').set({ task_sequence }).where('id', '=', ticket_id).execute();
}

/** False if this comment of the ticket's task has already been copied. */
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

/** The active member with this address, ignoring case. Locks the row like `isActiveMember`, against a concurrent deactivation. */
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
