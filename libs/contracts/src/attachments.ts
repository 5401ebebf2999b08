import * as z from 'zod';
import { job, operation } from './define';
import { Id, requiredText, Timestamp } from './scalars';
import { attachmentRules } from './values/attachments';

const owner = 'tickets';

export const Attachment = z.object({
  id: Id,
  file_name: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** What the bytes say, `application/octet-stream` when they say nothing; never what the sender claimed. */
  content_type: z.string(),
  created_at: Timestamp,
});
export type Attachment = z.infer<typeof Attachment>;

export const AnnounceAttachment = z.strictObject({
  file_name: requiredText(attachmentRules.maxNameLength, 'The file needs a name'),
  size: z
    .number()
    .int()
    .min(1, 'The file is empty')
    .max(attachmentRules.maxBytes, `Files can have ${attachmentRules.maxBytes / 1024 / 1024} MB at most`),
});
export type AnnounceAttachment = z.infer<typeof AnnounceAttachment>;

/**
 * A file goes up in two steps: it is announced, then its bytes are sent to the signed address; then its id goes with a comment or a new
 * ticket (`attachment_ids`). What nobody uses is removed after a day.
 */
export const announceAttachment = operation({
  name: 'tickets.announceAttachment',
  summary: 'Announce a file; the answer says where its bytes go.',
  owner,
  method: 'POST',
  path: '/attachments',
  allow: 'ticket.write',
  status: 201,
  input: { body: AnnounceAttachment },
  /** `upload_url`: a path of this API for one PUT of exactly the announced bytes, until `expires_at`. */
  output: z.object({ attachment_id: Id, upload_url: z.string(), expires_at: Timestamp }),
  problems: ['attachment.refused'],
});

const signed = { params: z.object({ token: z.string().max(500) }) };
/** The gateway streams the bytes to the owner: they are neither JSON nor held in memory. */
export const uploadFile = operation({
  name: 'tickets.uploadFile',
  summary: 'The bytes of an announced file; the signed address is the permission.',
  owner,
  method: 'PUT',
  path: '/files/:token',
  allow: 'public',
  handwritten: true,
  input: signed,
  output: Attachment,
  problems: ['file.link_expired', 'attachment.refused', 'request.too_large'],
});
export const downloadFile = operation({
  name: 'tickets.downloadFile',
  summary: 'The bytes of a file; the signed address is the permission, for a few minutes.',
  owner,
  method: 'GET',
  path: '/files/:token',
  allow: 'public',
  handwritten: true,
  input: signed,
  output: z.unknown(),
  problems: ['file.link_expired'],
});
export const linkAttachment = operation({
  name: 'tickets.linkAttachment',
  summary: 'A signed address under which a file can be read for a few minutes.',
  owner,
  method: 'POST',
  path: '/attachments/:id/link',
  allow: 'ticket.read',
  input: { params: z.object({ id: Id }) },
  output: z.object({ url: z.string(), expires_at: Timestamp }),
  problems: ['attachment.not_found'],
});
/** The files of the ticket's own description; those of comments stand with the comments. */
export const listAttachments = operation({
  name: 'tickets.listAttachments',
  summary: 'The files that came with a ticket’s description.',
  owner,
  method: 'GET',
  path: '/tickets/:id/attachments',
  allow: 'ticket.read',
  input: { params: z.object({ id: Id }) },
  output: z.array(Attachment),
  problems: ['ticket.not_found'],
});

/** Removes files that nobody used in time, and what is left of uploads that broke off: the bytes first, then the row. */
export const removeUnusedAttachments = job({
  type: 'remove_unused_attachments',
  owner,
  queue: 'attachments',
  data: z.strictObject({}),
  attempts: 3,
  backoffMs: [30_000],
});
