import type { TicketsTx } from '../schema';
import { readPages, teammateKey, teammateKeys, type ExportRun, type RecordOf } from './lines';
import {
  findCommentPage,
  findFilePage,
  findHistoryPage,
  findOriginalPage,
  findTicketPage,
  type CommentLineRow,
  type FileLineRow,
  type HistoryLineRow,
  type OriginalLineRow,
  type TicketLineRow,
} from './ticket-lines.store';

/** A description, a comment and an email have up to 100,000 characters or more, so the pages are short. */
export const pages = { tickets: 100, comments: 100, history: 500, files: 500, originals: 20 };

/**
 * The tickets by creation, each page with its comments, history, files and original emails, so that none of them refers to a ticket that was
 * created after the tickets had been read.
 */
export async function writeTickets(run: ExportRun): Promise<void> {
  const findPage = (tx: TicketsTx, after: TicketLineRow | undefined, limit: number) => findTicketPage(tx, run.customer_email, after, limit);
  for await (const tickets of readPages<TicketLineRow>(run, pages.tickets, findPage)) {
    for (const ticket of tickets) await run.write('tickets.jsonl', ticketLine(run, ticket));
    const ids = tickets.map(({ id }) => id);
    await writeConversation(run, ids);
    for await (const rows of readPages<HistoryLineRow>(run, pages.history, (tx, after, limit) => findHistoryPage(tx, ids, after, limit)))
      for (const row of rows) await run.write('history.jsonl', historyLine(run, row));
    for await (const rows of readPages<FileLineRow>(run, pages.files, (tx, after, limit) => findFilePage(tx, ids, after, limit)))
      for (const row of rows) await run.write('files.jsonl', fileLine(run, row));
  }
}

async function writeConversation(run: ExportRun, ids: readonly string[]): Promise<void> {
  for await (const rows of readPages<CommentLineRow>(run, pages.comments, (tx, after, limit) => findCommentPage(tx, ids, after, limit)))
    for (const row of rows) await run.write('comments.jsonl', commentLine(run, row));
  for await (const rows of readPages<OriginalLineRow>(run, pages.originals, (tx, after, limit) => findOriginalPage(tx, ids, after, limit)))
    for (const row of rows) await run.write('original_emails.jsonl', originalLine(row));
}

function ticketLine(run: ExportRun, ticket: TicketLineRow): RecordOf<'ticket'> {
  const { survey_sent_at, rating, feedback, answered_at, anonymized_at } = ticket;
  const { comment_count, public_reply_count, last_comment_at, customer_replied_last } = ticket;
  return {
    key: ticket.id,
    number: ticket.ticket_number,
    subject: ticket.subject,
    description: ticket.description,
    status: ticket.status,
    priority: ticket.priority,
    category: ticket.category,
    tags: ticket.tags,
    channel: ticket.channel,
    customer: { email: ticket.customer_email, name: ticket.customer_name },
    cc: ticket.cc,
    language: ticket.language,
    assignee: teammateKey(run, ticket.assigned_to),
    custom_fields: Object.fromEntries(Object.entries(ticket.custom_fields).filter(([key]) => run.field_keys.has(key))),
    created_at: ticket.created_at,
    updated_at: ticket.updated_at,
    resolved_at: ticket.resolved_at,
    url: null,
    external_id: ticket.external_id,
    watchers: teammateKeys(run, ticket.watchers),
    customer_verified: ticket.customer_verified,
    follow_up_of: ticket.follow_up_of_id,
    merged_into: ticket.merged_into_id,
    first_response_at: ticket.first_response_at,
    first_response_time_hours: ticket.first_response_time_hours,
    resolution_time_hours: ticket.resolution_time_hours,
    sla_breached_at: ticket.sla_breached_at,
    escalated_at: ticket.escalated_at,
    snoozed_at: ticket.snoozed_at,
    snoozed_until: ticket.snoozed_until,
    is_quiet: ticket.is_quiet,
    anonymized:
      anonymized_at === null ? null : { at: anonymized_at, comment_count, public_reply_count, last_comment_at, customer_replied_last },
    open_periods: ticket.open_periods,
    survey: survey_sent_at === null && answered_at === null ? null : { sent_at: survey_sent_at, rating, feedback, answered_at },
  };
}

export const commentLine = (run: ExportRun, comment: CommentLineRow): RecordOf<'comment'> => ({
  key: comment.id,
  ticket: comment.ticket_id,
  author: authorOf(run, comment),
  is_internal: comment.is_internal,
  content: comment.content,
  created_at: comment.created_at,
  merged_from: comment.merged_from_id,
  mentions: teammateKeys(run, comment.mentions),
  token: comment.token,
  rule: comment.rule,
  tool_author: comment.tool_author,
  email_proof: comment.email_proof,
});

/** An internal note with the address of a customer is an email whose sender is not known. */
function authorOf(run: ExportRun, comment: CommentLineRow): RecordOf<'comment'>['author'] {
  if (comment.is_from_customer || comment.customer_email !== null) return { kind: 'customer', email: comment.customer_email };
  const key = teammateKey(run, comment.user_id);
  if (key !== null) return { kind: 'teammate', key };
  return { kind: 'other', name: comment.tool_author?.name ?? comment.token?.name ?? comment.rule?.name ?? null };
}

const historyLine = (run: ExportRun, row: HistoryLineRow): RecordOf<'history'> => ({
  key: row.id,
  ticket: row.ticket_id,
  kind: row.kind,
  actor_type: row.actor_type,
  teammate: teammateKey(run, row.user_id),
  token: row.token,
  rule: row.rule,
  changes: row.changes,
  created_at: row.created_at,
});

export const originalLine = ({ place: _place, ticket_id, comment_id, from_address, ...original }: OriginalLineRow) => ({
  ticket: ticket_id,
  comment: comment_id,
  from: from_address,
  ...original,
});

export const fileLine = ({ has_files }: ExportRun, file: FileLineRow): RecordOf<'file'> => ({
  key: file.id,
  ticket: file.ticket_id,
  comment: file.comment_id,
  article: null,
  file_name: file.file_name,
  size: file.size,
  entry: has_files ? `files/${file.id}` : null,
  url: null,
  created_at: file.created_at,
});
