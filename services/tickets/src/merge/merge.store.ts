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
