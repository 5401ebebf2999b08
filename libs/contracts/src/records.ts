import * as z from 'zod';
import { ArticleVersion } from './articles';
import { Comment } from './comments';
import { CustomField } from './custom-fields';
import { Activity } from './timeline';
import { CustomFieldValue, CustomerLanguage, TicketPriority, TicketStatus } from './tickets';
import { articleStates, articleVisibilities } from './values/articles';
import { ticketChannels } from './values/customers';
import { roles } from './values/permissions';

/**
 * The records of an import and of an export: what every source is converted to, and the lines of the files in an export's archive. A record
 * refers to others by `key`, its ID in the source: `ticket`, `comment`, `article` and `category` contain the `key` of another record, and
 * members of the team are referred to by the `key` of a `teammate`. The text of a record has its final form: Markdown if a teammate wrote it,
 * plain text if a customer did.
 *
 * Fields that only our own export can fill are optional, so that readers of other sources do not name them.
 */

const Key = z.string().min(1).max(200);
/** In UTC. Years before 1970 and times in the future are problems of the import, not of the schema. */
const Time = z.iso.datetime();
const Person = z.object({ email: z.string(), name: z.string().nullable() });

export const TeammateRecord = z.object({
  key: Key,
  email: z.string().nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  role: z.enum(roles).optional(),
  is_active: z.boolean().optional(),
});
export type TeammateRecord = z.infer<typeof TeammateRecord>;

export const TicketRecord = z.object({
  key: Key,
  /** As in the source, with or without letters in front: `TAN-000123`, `123`. Null: it gets the next number. */
  number: z.string().max(40).nullable(),
  subject: z.string(),
  description: z.string().nullable(),
  status: TicketStatus,
  priority: TicketPriority,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  channel: z.enum(ticketChannels).nullable(),
  customer: Person,
  cc: z.array(z.string()),
  language: CustomerLanguage.nullable(),
  /** The key of a teammate. */
  assignee: Key.nullable(),
  custom_fields: z.record(z.string(), CustomFieldValue),
  created_at: Time,
  updated_at: Time,
  /** Null: with a status of `resolved` or `closed`, `updated_at` is used. */
  resolved_at: Time.nullable(),
  /** Of the ticket in the source, for people. */
  url: z.string().max(2_000).nullable(),
  // Only in our own exports.
  external_id: z.string().nullable().optional(),
  watchers: z.array(Key).optional(),
  customer_verified: z.boolean().optional(),
  follow_up_of: Key.nullable().optional(),
  merged_into: Key.nullable().optional(),
  first_response_at: Time.nullable().optional(),
  first_response_time_hours: z.number().nullable().optional(),
  resolution_time_hours: z.number().nullable().optional(),
  sla_breached_at: Time.nullable().optional(),
  escalated_at: Time.nullable().optional(),
  /** Null with `snoozed_at`: until the customer replies. */
  snoozed_at: Time.nullable().optional(),
  snoozed_until: Time.nullable().optional(),
  /** Its customer must get no automatic reply. */
  is_quiet: z.boolean().optional(),
  /** Of an anonymized ticket: when, and the figures of its comments, which no longer exist. */
  anonymized: z
    .object({
      at: Time,
      comment_count: z.number().int().min(0),
      public_reply_count: z.number().int().min(0),
      last_comment_at: Time.nullable(),
      customer_replied_last: z.boolean(),
    })
    .nullable()
    .optional(),
  /** The periods in which it was neither resolved nor closed; `resolved_at` is null for the current one. */
  open_periods: z.array(z.object({ opened_at: Time, resolved_at: Time.nullable(), is_reopened: z.boolean() })).optional(),
  survey: z
    .object({
      sent_at: Time.nullable(),
      rating: z.number().int().nullable(),
      feedback: z.string().nullable(),
      answered_at: Time.nullable(),
    })
    .nullable()
    .optional(),
});
export type TicketRecord = z.infer<typeof TicketRecord>;

export const CommentRecord = z.object({
  key: Key,
  ticket: Key,
  /** `customer`: the ticket's customer, or another person on their side; `teammate`: by key; `other`: a name, such as a bot or a former agent. */
  author: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('customer'), email: z.string().nullable() }),
    z.object({ kind: z.literal('teammate'), key: Key }),
    z.object({ kind: z.literal('other'), name: z.string().nullable() }),
  ]),
  is_internal: z.boolean(),
  content: z.string(),
  created_at: Time,
  /** Only in our own exports: the key of the ticket in which it was written, if a merge moved it. */
  merged_from: Key.nullable().optional(),
  mentions: z.array(Key).optional(),
  // Only in our own exports: the token, the rule or the person in the task tool that wrote it, and the checks of an email's sender.
  token: Comment.shape.token.optional(),
  rule: Comment.shape.rule.optional(),
  tool_author: Comment.shape.tool_author.optional(),
  email_proof: Comment.shape.email_proof.optional(),
});
export type CommentRecord = z.infer<typeof CommentRecord>;

/** Only in our own exports. Ids in `changes` are keys of this export. */
export const HistoryRecord = z.object({
  key: Key,
  ticket: Key,
  kind: Activity.shape.kind,
  actor_type: Activity.shape.actor_type,
  teammate: Key.nullable(),
  token: Activity.shape.token,
  rule: Activity.shape.rule,
  changes: Activity.shape.changes,
  created_at: Time,
});
export type HistoryRecord = z.infer<typeof HistoryRecord>;

/** A file of a ticket's description, of a comment, or of an article (a picture). One of `entry` and `url` is set. */
export const FileRecord = z.object({
  key: Key,
  ticket: Key.nullable(),
  comment: Key.nullable(),
  article: Key.nullable(),
  file_name: z.string(),
  /** Bytes, if the source says so. */
  size: z.number().int().nullable(),
  /** The name of an entry of the uploaded archive that has the bytes. */
  entry: z.string().max(1_000).nullable(),
  /** Where the bytes are downloaded, through `safe-fetch`. */
  url: z.string().max(4_000).nullable(),
  created_at: Time,
});
export type FileRecord = z.infer<typeof FileRecord>;

export const CustomerRecord = z.object({ key: Key, email: z.string(), name: z.string() });
export type CustomerRecord = z.infer<typeof CustomerRecord>;

export const ArticleCategoryRecord = z.object({
  key: Key,
  name: z.string(),
  description: z.string().nullable(),
  /** From 1. */
  position: z.number().int(),
  /** Only in our own exports: part of its address. */
  number: z.number().int().optional(),
});
export type ArticleCategoryRecord = z.infer<typeof ArticleCategoryRecord>;

export const ArticleRecord = z.object({
  key: Key,
  title: z.string(),
  summary: z.string().nullable(),
  body: z.string(),
  language: CustomerLanguage.nullable(),
  category: Key.nullable(),
  visibility: z.enum(articleVisibilities),
  /** A published article without an `article_version` is published as it is. */
  state: z.enum(articleStates),
  created_at: Time,
  updated_at: Time,
  // Only in our own exports.
  /** Part of its address. */
  number: z.number().int().optional(),
  /** The key of a teammate. */
  updated_by: Key.nullable().optional(),
  /** Which of its versions readers see. */
  published_version: z.number().int().nullable().optional(),
  first_published_at: Time.nullable().optional(),
  /** The key of the ticket that it was drafted from. */
  ticket: Key.nullable().optional(),
});
export type ArticleRecord = z.infer<typeof ArticleRecord>;

export const ArticleVersionRecord = z.object({
  key: Key,
  article: Key,
  number: ArticleVersion.shape.number,
  title: z.string(),
  summary: z.string().nullable(),
  body: z.string(),
  language: CustomerLanguage,
  published_at: Time,
  /** The key of a teammate. */
  published_by: Key.nullable(),
});
export type ArticleVersionRecord = z.infer<typeof ArticleVersionRecord>;

export const CustomFieldRecord = CustomField.omit({ id: true, deleted_at: true, updated_at: true });
export type CustomFieldRecord = z.infer<typeof CustomFieldRecord>;

/**
 * Settings whose ids are keys of this export. `data` has the form of the API: `SlaPolicy`, `Macro`, `View`, `Rule`, without ids of the setting
 * and of its organization, and without the fields that the server sets, such as the time of its last change.
 */
export const SettingsRecord = z.object({ key: Key, data: z.record(z.string(), z.unknown()) });
export type SettingsRecord = z.infer<typeof SettingsRecord>;

/** The schema of each kind of record. */
export const recordSchemas = {
  teammate: TeammateRecord,
  custom_field: CustomFieldRecord,
  sla_policy: SettingsRecord,
  canned_reply: SettingsRecord,
  view: SettingsRecord,
  rule: SettingsRecord,
  article_category: ArticleCategoryRecord,
  article: ArticleRecord,
  article_version: ArticleVersionRecord,
  ticket: TicketRecord,
  comment: CommentRecord,
  history: HistoryRecord,
  file: FileRecord,
  customer: CustomerRecord,
} as const;
type Schemas = typeof recordSchemas;
/** A record with its kind. */
export type ImportRecord = { [Kind in keyof Schemas]: { kind: Kind; data: z.output<Schemas[Kind]> } }[keyof Schemas];
