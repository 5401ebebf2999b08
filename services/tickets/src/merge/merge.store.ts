import type { TicketsTx } from '../schema';

/** Moves the whole conversation and says how long it was. A comment that came by an earlier merge keeps where it was written. */
export async function moveComments(tx: TicketsTx, from_id: string, to_id: string): Promise<number> {
  const moved = await tx
    .updateTable('comments')
    .set((eb) => ({ ticket_id: to_id, merged_from_id: eb.fn.coalesce('merged_from_id', eb.val(from_id)) }))
    .where('ticket_id', '=', from_id)
    .executeTakeFirstOrThrow();
  return Number(moved.numUpdatedRows);
}

/** Moves all files of a ticket; those of its description to the comment that the description has become, where there is one. */
export async function moveAttachments(tx: TicketsTx, from_id: string, to_id: string, description_comment_id: string | null): Promise<void> {
  await tx
    .updateTable('attachments')
    .set((eb) => ({ ticket_id: to_id, comment_id: eb.fn.coalesce('comment_id', eb.val(description_comment_id)) }))
    .where('ticket_id', '=', from_id)
    .execute();
}

/** What is kept of the mails goes where their texts have gone; that of a description that was empty stays. */
export async function moveOriginals(tx: TicketsTx, from_id: string, to_id: string, description_comment_id: string | null): Promise<void> {
  await tx
    .updateTable('mail_originals')
    .set((eb) => ({ ticket_id: to_id, comment_id: eb.fn.coalesce('comment_id', eb.val(description_comment_id)) }))
    .where('ticket_id', '=', from_id)
    .$if(description_comment_id === null, (qb) => qb.where('comment_id', 'is not', null))
    .execute();
}

/** Whether a ticket's description came by mail, and more of it is kept. */
export async function hasOriginal(tx: TicketsTx, ticket_id: string): Promise<boolean> {
  const query = tx.selectFrom('mail_originals').select('ticket_id').where('ticket_id', '=', ticket_id);
  return (await query.where('comment_id', 'is', null).executeTakeFirst()) !== undefined;
}
