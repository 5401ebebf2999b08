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
  /** Detected from the file content, `application/octet-stream` if unknown; never the type that the client claimed. */
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
    .max(attachmentRules.maxBytes, `Files can be up to ${attachmentRules.maxBytes / 1024 / 1024} MB`),
});
export type AnnounceAttachment = z.infer<typeof AnnounceAttachment>;

/**
 * A file is uploaded in two steps: it is announced, then its content is sent to the signed URL. Its id is then sent with a comment or a new
 * ticket (`attachment_ids`). Files that are not attached are removed after a day.
 */
export const announceAttachment = operation({
  name: 'tickets.announceAttachment',
  summary: 'Announce a file; the response contains the upload URL.',
  owner,
  method: 'POST',
  path: '/attachments',
  allow: 'ticket.write',
  token: 'tickets:write',
  status: 201,
  input: { body: AnnounceAttachment },
  /** `upload_url` is a path of this API for one PUT of exactly the announced size, until `expires_at`. */
  output: z.object({ attachment_id: Id, upload_url: z.string(), expires_at: Timestamp }),
  problems: ['attachment.refused'],
});

const signed = { params: z.object({ token: z.string().max(500) }) };
/** The gateway streams the file to the owner, because it is neither JSON nor held in memory. */
export const uploadFile = operation({
  name: 'tickets.uploadFile',
  summary: 'Upload an announced file. The signed URL grants access.',
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
  summary: 'Download a file. The signed URL grants access for a few minutes.',
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
  summary: 'Create a signed URL that allows a file to be downloaded for a few minutes.',
  owner,
  method: 'POST',
  path: '/attachments/:id/link',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { params: z.object({ id: Id }) },
  output: z.object({ url: z.string(), expires_at: Timestamp }),
  problems: ['attachment.not_found'],
});
/** The files of the ticket's own description; comments list their own files. */
export const listAttachments = operation({
  name: 'tickets.listAttachments',
  summary: 'List the files of a ticket’s description.',
  owner,
  method: 'GET',
  path: '/tickets/:id/attachments',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { params: z.object({ id: Id }) },
  output: z.array(Attachment),
  problems: ['ticket.not_found'],
});

/** Removes files that were never attached and the remains of aborted uploads: the file content first, then the row. */
export const removeUnusedAttachments = job({
  type: 'remove_unused_attachments',
  owner,
  queue: 'attachments',
  data: z.strictObject({}),
  attempts: 3,
  backoffMs: [30_000],
  tenant: false,
});
