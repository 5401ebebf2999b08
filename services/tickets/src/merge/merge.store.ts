import type { TicketsTx } from '../schema';

/** Moves all comments and returns how many. A comment from an earlier merge keeps its original `merged_from_id`. */
export async function moveComments(tx: TicketsTx, from_id: string, to_id: string): Promise<number> {
  const moved = await tx
    .updateTable('comments')
    .set((eb) => ({ ticket_id: to_id, merged_from_id: eb.fn.coalesce('merged_from_id', eb.val(from_id)) }))
    .where('ticket_id', '=', from_id)
    .executeTakeFirstOrThrow();
  return Number(moved.numUpdatedRows);
}

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
