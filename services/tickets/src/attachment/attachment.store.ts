import { AppError, type Attachment, type Context, type TenantContext } from '@tandem/contracts';
import { lockName } from '@tandem/db';
import { sql, type SqlBool } from 'kysely';
import { findPicture } from '../article/article-picture.store';
import { userIdOf } from '../caller';
import type { AttachmentRow, TicketsTx } from '../schema';
import { usableSince } from './attachment';

// Reads filter by organization in addition to row-level security: the system policy also allows reads of this table, and with two policies
// the planner searches an index once per organization. Writes have one policy and do not need the filter.
const shown = ['id', 'file_name', 'size', 'content_type', 'created_at'] as const;

/** A file whose upload is complete: attached, unused, or a picture of an article. */
export type StoredFile = Attachment & { organization_id: string } & (
    | (Pick<AttachmentRow, 'user_id' | 'from_customer' | 'ticket_id' | 'comment_id'> & { article_id?: never })
    | { article_id: string }
  );

/** The owner of unused files: a member, the organization's API tokens and processes together, or its customers together. */
export type Sender = Pick<AttachmentRow, 'user_id' | 'from_customer'>;
export const senderOf = (ctx: Context): Sender => ({ user_id: userIdOf(ctx), from_customer: ctx.actor.type === 'customer' });

/** Customers have no accounts, so any customer who knows the id of a file may use it. */
const ofSender = ({ user_id, from_customer }: Sender) =>
  from_customer
    ? sql<SqlBool>`user_id is null and from_customer`
    : sql<SqlBool>`user_id is not distinct from ${user_id}::uuid and not from_customer`;

/**
 * Counts a sender's unused files: uploaded, or announced and still uploadable. Holds a lock per sender until the transaction ends, so that
 * parallel calls cannot exceed the limit.
 */
export async function countUnused(tx: TicketsTx, organization_id: string, sender: Sender, comingSince: string): Promise<number> {
  await lockName(tx, `attachments:${organization_id}:${sender.from_customer ? 'customers' : sender.user_id}`);
  const row = await tx
    .selectFrom('attachments')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization_id', '=', organization_id)
    .where('ticket_id', 'is', null)
    .where((eb) => eb.or([eb('content_type', 'is not', null), eb('created_at', '>', comingSince)]))
    .where(ofSender(sender))
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function insertAttachment(tx: TicketsTx, row: AttachmentRow): Promise<void> {
  await tx.insertInto('attachments').values(row).execute();
}

/** Claims the only upload of a file. Undefined if it was claimed before or there is no such file. */
export const beginUpload = (tx: TicketsTx, id: string, now: string): Promise<Pick<AttachmentRow, 'size'> | undefined> =>
  tx
    .updateTable('attachments')
    .set({ upload_started_at: now })
    .where('id', '=', id)
    .where('upload_started_at', 'is', null)
    .returning('size')
    .executeTakeFirst();

/** Marks the upload complete: from now on the file can be used. */
export const finishUpload = async (tx: TicketsTx, id: string, content_type: string): Promise<Attachment> => {
  const row = await tx.updateTable('attachments').set({ content_type }).where('id', '=', id).returning(shown).executeTakeFirstOrThrow();
  return { ...row, content_type };
};

export async function deleteAttachment(tx: TicketsTx, id: string): Promise<void> {
  await tx.deleteFrom('attachments').where('id', '=', id).where('ticket_id', 'is', null).execute();
}

export async function findStoredFile(tx: TicketsTx, organization_id: string, id: string): Promise<StoredFile | undefined> {
  const row = await tx
    .selectFrom('attachments')
    .select([...shown, 'organization_id', 'user_id', 'from_customer', 'ticket_id', 'comment_id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .where('content_type', 'is not', null)
    .executeTakeFirst();
  return row ? { ...row, content_type: row.content_type! } : findPicture(tx, organization_id, id);
}

/** The files of the description, in the order in which they were announced. */
export async function findFilesOfTicket(tx: TicketsTx, organization_id: string, ticket_id: string): Promise<Attachment[]> {
  const rows = await tx
    .selectFrom('attachments')
    .select(shown)
    .where('organization_id', '=', organization_id)
    .where('ticket_id', '=', ticket_id)
    .where('comment_id', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, content_type: row.content_type! }));
}

/** Whether the ticket has this file in a place that its customer can see: the description, or a comment that is not an internal note. */
export async function isPublicFile(tx: TicketsTx, organization_id: string, ticket_id: string, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('attachments as f')
    .leftJoin('comments as c', (join) => join.onRef('c.organization_id', '=', 'f.organization_id').onRef('c.id', '=', 'f.comment_id'))
    .select('f.id')
    .where('f.organization_id', '=', organization_id)
    .where('f.id', '=', id)
    .where('f.ticket_id', '=', ticket_id)
    .where((eb) => eb.or([eb('f.comment_id', 'is', null), eb('c.is_internal', '=', false)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** SQL for the files of comment `c`, so that a page of comments needs one query. Timestamps have the same format as elsewhere. */
export const commentFiles = sql<Attachment[]>`(
  select coalesce(json_agg(json_build_object('id', f.id, 'file_name', f.file_name, 'size', f.size, 'content_type', f.content_type,
    'created_at', to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by f.id), '[]')
  from attachments f where f.organization_id = c.organization_id and f.comment_id = c.id)`;

/**
 * Attaches uploaded files to a description or comment. Each must be complete, unused and from the same sender (`senderOf`: staff cannot use
 * customers' files, nor customers those of staff), otherwise it throws `attachment.not_usable`. The update locks the rows, so of two texts
 * that name the same file only one gets it.
 */
export async function attachFiles(
  tx: TicketsTx,
  ctx: Context,
  ids: readonly string[],
  to: { ticket_id: string; comment_id: string | null },
): Promise<Attachment[]> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const rows = await tx
    .updateTable('attachments')
    .set(to)
    .where('id', 'in', wanted)
    .where('content_type', 'is not', null)
    .where('ticket_id', 'is', null)
    .where('created_at', '>', usableSince(Date.now()))
    .where(ofSender(senderOf(ctx)))
    .returning(shown)
    .execute();
  const used = new Set(rows.map(({ id }) => id));
  const missing = ids.findIndex((id) => !used.has(id));
  if (missing >= 0) {
    const message = 'This file was not uploaded, or is already attached elsewhere';
    throw new AppError('attachment.not_usable', { fields: [{ path: `attachment_ids.${missing}`, code: 'not_usable', message }] });
  }
  return rows.map((row) => ({ ...row, content_type: row.content_type! })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const findFilesOfOrganization = (tx: TicketsTx, organization_id: string, limit: number): Promise<Pick<AttachmentRow, 'id'>[]> =>
  tx.selectFrom('attachments').select('id').where('organization_id', '=', organization_id).limit(limit).execute();

/** Takes an uploaded, unused file of the caller away from the attachments; its bytes stay where they are. Undefined if it is not usable. */
export async function takeUnusedFile(tx: TicketsTx, ctx: TenantContext, id: string): Promise<Attachment | undefined> {
  const row = await tx
    .deleteFrom('attachments')
    .where('organization_id', '=', ctx.organization_id)
    .where('id', '=', id)
    .where('content_type', 'is not', null)
    .where('ticket_id', 'is', null)
    .where('created_at', '>', usableSince(Date.now()))
    .where(ofSender(senderOf(ctx)))
    .returning(shown)
    .executeTakeFirst();
  return row && { ...row, content_type: row.content_type! };
}

/** Includes those that are attached. */
export async function deleteFiles(tx: TicketsTx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('attachments')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Unused files announced before `before`, across organizations. */
export const findRemovableAcrossOrganizations = (
  tx: TicketsTx,
  before: string,
  limit: number,
): Promise<Pick<AttachmentRow, 'organization_id' | 'id'>[]> =>
  tx
    .selectFrom('attachments')
    .select(['organization_id', 'id'])
    .where('ticket_id', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute();
