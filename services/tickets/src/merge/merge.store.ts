import type { Ticket } from '@tandem/contracts';
import { sql } from 'kysely';
import type { MergeRestore, TicketsTx } from '../schema';

/** Moves all comments and returns their ids. A comment from an earlier merge keeps its original `merged_from_id`. */
export async function moveComments(tx: TicketsTx, from_id: string, to_id: string): Promise<string[]> {
  const moved = await tx
    .updateTable('comments')
    .set((eb) => ({ ticket_id: to_id, merged_from_id: eb.fn.coalesce('merged_from_id', eb.val(from_id)) }))
    .where('ticket_id', '=', from_id)
    .returning('id')
    .execute();
  return moved.map(({ id }) => id);
}

export const findAttachments = (tx: TicketsTx, ticket_id: string): Promise<MergeRestore['attachments']> =>
  tx.selectFrom('attachments').select(['id', 'comment_id']).where('ticket_id', '=', ticket_id).execute();

/** Moves all files of a ticket; those of its description go to the comment that the description became, if there is one. */
export async function moveAttachments(tx: TicketsTx, from_id: string, to_id: string, description_comment_id: string | null): Promise<void> {
  await tx
    .updateTable('attachments')
    .set((eb) => ({ ticket_id: to_id, comment_id: eb.fn.coalesce('comment_id', eb.val(description_comment_id)) }))
    .where('ticket_id', '=', from_id)
    .execute();
}

/** Moves the stored originals together with their texts. With an empty description, its original stays with the source. */
export async function moveOriginals(tx: TicketsTx, from_id: string, to_id: string, description_comment_id: string | null): Promise<void> {
  await tx
    .updateTable('mail_originals')
    .set((eb) => ({ ticket_id: to_id, comment_id: eb.fn.coalesce('comment_id', eb.val(description_comment_id)) }))
    .where('ticket_id', '=', from_id)
    .$if(description_comment_id === null, (qb) => qb.where('comment_id', 'is not', null))
    .execute();
}

/** Whether the description arrived by email and its original is stored. */
export async function hasOriginal(tx: TicketsTx, ticket_id: string): Promise<boolean> {
  const query = tx.selectFrom('mail_originals').select('ticket_id').where('ticket_id', '=', ticket_id);
  return (await query.where('comment_id', 'is', null).executeTakeFirst()) !== undefined;
}

interface Merge {
  organization_id: string;
  source_id: string;
  target_id: string;
  source_version: number;
  target_version: number;
  created_at: string;
}

/** Replaces the row of an earlier merge of the same ticket, which was undone. */
export async function saveMerge(tx: TicketsTx, merge: Merge, restore: MergeRestore): Promise<void> {
  const { organization_id: _o, source_id: _s, ...values } = { ...merge, restore: JSON.stringify(restore) };
  await tx
    .insertInto('merges')
    .values({ ...merge, restore: JSON.stringify(restore) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'source_id']).doUpdateSet(values))
    .execute();
}

export const findMerge = (tx: TicketsTx, source_id: string) =>
  tx.selectFrom('merges').selectAll().where('source_id', '=', source_id).executeTakeFirst();

export async function deleteMerge(tx: TicketsTx, source_id: string): Promise<void> {
  await tx.deleteFrom('merges').where('source_id', '=', source_id).execute();
}

/** Allows undoing the merge that left its target with version `from` while the target has version `to`. */
export async function moveTargetVersion(tx: TicketsTx, target_id: string, from: number, to: number): Promise<void> {
  await tx
    .updateTable('merges')
    .set({ target_version: to })
    .where('target_id', '=', target_id)
    .where('target_version', '=', from)
    .execute();
}

/** Moves comments, files and emails back to the ticket that they came from, and deletes the comment that its description became. */
export async function moveBack(tx: TicketsTx, from_id: string, to_id: string, restore: MergeRestore): Promise<void> {
  const { comment_ids, description_comment_id, attachments, has_original } = restore;
  if (comment_ids.length > 0) {
    await tx
      .updateTable('comments')
      .set({ ticket_id: to_id, merged_from_id: sql<string | null>`nullif(merged_from_id, ${to_id}::uuid)` })
      .where('id', 'in', comment_ids)
      .execute();
    await tx
      .updateTable('mail_originals')
      .set({ ticket_id: to_id })
      .where('ticket_id', '=', from_id)
      .where('comment_id', 'in', comment_ids)
      .execute();
  }
  if (has_original && description_comment_id !== null)
    await tx
      .updateTable('mail_originals')
      .set({ ticket_id: to_id, comment_id: null })
      .where('ticket_id', '=', from_id)
      .where('comment_id', '=', description_comment_id)
      .execute();
  for (const { id, comment_id } of attachments)
    await tx
      .updateTable('attachments')
      .set({ ticket_id: to_id, comment_id })
      .where('id', '=', id)
      .where('ticket_id', '=', from_id)
      .execute();
  if (description_comment_id !== null) await tx.deleteFrom('comments').where('id', '=', description_comment_id).execute();
}

/** When the last comment of a ticket was added, and whether its newest public comment is the customer's, after comments have moved. */
export async function findLastComments(
  tx: TicketsTx,
  ticket_id: string,
): Promise<Pick<Ticket, 'last_comment_at' | 'customer_replied_last'>> {
  const newest = tx.selectFrom('comments').where('ticket_id', '=', ticket_id).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(1);
  const last = await newest.select('created_at').executeTakeFirst();
  const lastPublic = await newest.select('is_from_customer').where('is_internal', '=', false).executeTakeFirst();
  return { last_comment_at: last?.created_at ?? null, customer_replied_last: lastPublic?.is_from_customer ?? false };
}
