import { findOtherTicketLines, findReceivedEmails } from './customer-lines.store';
import { readPages, type ExportRun } from './lines';
import { commentLine, fileLine, originalLine, pages } from './ticket-lines';
import {
  findCommentPage,
  findFilePage,
  findOriginalPage,
  type CommentLineRow,
  type FileLineRow,
  type OriginalLineRow,
} from './ticket-lines.store';

/** What a customer has written on tickets of other customers, and the log of their emails. Their own tickets are written before. */
export async function writeCustomer(run: ExportRun, email: string): Promise<void> {
  const { db, ctx } = run;
  for (const line of await db.readTenant(ctx, (tx) => findReceivedEmails(tx, ctx.organization_id, email)))
    await run.write('received_emails.jsonl', line);
  const others = await db.readTenant(ctx, (tx) => findOtherTicketLines(tx, email));
  for (const line of others) await run.write('other_tickets.jsonl', line);
  const ids = others.map(({ ticket }) => ticket);
  for await (const rows of readPages<CommentLineRow>(run, pages.comments, (tx, after, limit) =>
    findCommentPage(tx, ids, after, limit, email),
  ))
    for (const row of rows) await run.write('comments.jsonl', commentLine(run, row));
  for await (const rows of readPages<FileLineRow>(run, pages.files, (tx, after, limit) => findFilePage(tx, ids, after, limit, email)))
    for (const row of rows) await run.write('files.jsonl', fileLine(run, row));
  for await (const rows of readPages<OriginalLineRow>(run, pages.originals, (tx, after, limit) =>
    findOriginalPage(tx, ids, after, limit, email),
  ))
    for (const row of rows) await run.write('original_emails.jsonl', originalLine(row));
}
