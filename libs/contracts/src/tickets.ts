import * as z from 'zod';
import { ViewCondition } from './conditions';
import { event, operation } from './define';
import { PageQuery } from './pagination';
import { blankToNull, email, Id, requiredText, text, Timestamp } from './scalars';
import { attachmentRules } from './values/attachments';
import { analyticsLimits, ticketMoments } from './values/analytics';
import { ticketChannels } from './values/customers';
import { languages } from './values/languages';
import { decodeList } from './values/query-list';
import { conditionLimits } from './values/conditions';
import type { CustomFieldName } from './values/ticket-custom-fields';
import { customFieldLimits } from './values/custom-fields';
import { closedMeanings } from './values/task-sync';
import { surveyFilters, taskFilters, ticketLimits, ticketPriorities, ticketSorts, ticketStatuses } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

export const TicketStatus = z.enum(ticketStatuses);
export type TicketStatus = z.infer<typeof TicketStatus>;
export const TicketPriority = z.enum(ticketPriorities);
export type TicketPriority = z.infer<typeof TicketPriority>;
/** The value of a custom field, in the form of its type: `YYYY-MM-DD` for a date, the `value` of an option for a choice. */
export const CustomFieldValue = z.union([
  z.string().max(customFieldLimits.longText, `At most ${customFieldLimits.longText.toLocaleString('en-US')} characters`),
  z.number(),
  z.boolean(),
  z.array(z.string().max(customFieldLimits.key)).max(customFieldLimits.options),
]);
export type CustomFieldValue = z.infer<typeof CustomFieldValue>;
/** By the keys of the fields. Null removes a value; fields that are not named stay. */
export const CustomFieldChanges = z
  .record(z.string().max(customFieldLimits.key), CustomFieldValue.nullable())
  .refine((values) => Object.keys(values).length <= customFieldLimits.fields, `At most ${customFieldLimits.fields} fields`);
export type CustomFieldChanges = z.infer<typeof CustomFieldChanges>;

/** A language of the customer's side. */
export const CustomerLanguage = z.enum(languages, 'Choose a language from the list');

/** The assignee as shown on a ticket; a copy of identity's member that the tickets service stores. */
export const Assignee = z.object({ user_id: Id, first_name: z.string().nullable(), last_name: z.string().nullable(), email: z.string() });
export type Assignee = z.infer<typeof Assignee>;

/** The API token that did something, with its name at that time; `mcp`: an assistant did it. */
export const ActingToken = z.object({ id: Id, name: z.string(), via: z.enum(['api', 'mcp']) });
export type ActingToken = z.infer<typeof ActingToken>;

/** The rule that did something, with its name at that time. */
export const ActingRule = z.object({ id: Id, name: z.string() });
export type ActingRule = z.infer<typeof ActingRule>;

/** The tool, id and URL of a task. */
export const TaskAddress = z.object({ provider: z.string(), task_id: z.string(), url: z.string() });
export type TaskAddress = z.infer<typeof TaskAddress>;

/** A row of the list: without the description, except for its beginning. */
export const TicketSummary = z.object({
  id: Id,
  ticket_number: z.string(),
  /** The id in another system, unique within the organization: importers find their own tickets by it. */
  external_id: z.string().nullable().default(null),
  subject: z.string(),
  /** The first 200 characters of the description. */
  description_preview: z.string().nullable(),
  status: TicketStatus,
  priority: TicketPriority,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
  assigned_to: Id.nullable(),
  assignee: Assignee.nullable(),
  comment_count: z.number().int(),
  /** When the last comment was added, public or internal; null without comments. */
  last_comment_at: Timestamp.nullable().default(null),
  /** Whether the newest public comment is the customer's. False without public comments. */
  customer_replied_last: z.boolean().default(false),
  /** The task that the ticket is linked to, in any task tool. */
  task: TaskAddress.nullable().default(null),
  /** The task's id if the tool is ClickUp. */
  clickup_task_id: z.string().nullable(),
  /** When the task was finished, while the customer has not been informed: for the view 'Ready to tell the customer'. */
  task_finished_at: Timestamp.nullable().default(null),
  /** The task's outcome while `task_finished_at` is set. */
  task_outcome: z.enum(closedMeanings).default('finished'),
  created_at: Timestamp,
  updated_at: Timestamp,
  resolved_at: Timestamp.nullable(),
  /** When staff first replied to the customer. */
  first_response_at: Timestamp.nullable().default(null),
  /** When the policy requires the first response; null without a policy. Unchanged while the timer is paused. */
  response_due_at: Timestamp.nullable().default(null),
  /** When the policy requires the resolution; otherwise like `response_due_at`. */
  resolution_due_at: Timestamp.nullable().default(null),
  /** The earlier of the active due times, for sorting lists. Null while paused, when both are done, and without a policy. */
  next_due_at: Timestamp.nullable().default(null),
  /** When the timers were paused to wait for the customer; null while they run. */
  sla_paused_since: Timestamp.nullable().default(null),
  /** When a due time was first missed. */
  sla_breached_at: Timestamp.nullable().default(null),
  /** When the ticket became older than the policy's escalation time. */
  escalated_at: Timestamp.nullable().default(null),
  /** When the ticket was snoozed; null if it is not. Timers keep running. */
  snoozed_at: Timestamp.nullable().default(null),
  /** When it wakes if the customer has not replied before; null with `snoozed_at`: only when the customer replies. */
  snoozed_until: Timestamp.nullable().default(null),
  /** The ticket into which this duplicate was merged; then it is closed. */
  merged_into_id: Id.nullable().default(null),
  /** Incremented with every change; the entity tag is derived from it. */
  version: z.number().int(),
  /** Whether the caller has not seen the newest comment, or the ticket at all. False for API tokens, which have no read position. */
  is_unread: z.boolean().default(false),
  /** With `sort=custom_fields.…`, the value by which the list is sorted; text without regard to case. */
  sort_value: z.union([z.string(), z.number()]).nullish(),
});
export type TicketSummary = z.infer<typeof TicketSummary>;

/** The fields that a ticket has both in lists and when it is read alone. */
export const TicketBase = TicketSummary.omit({ description_preview: true, is_unread: true, sort_value: true });

export const Ticket = TicketBase.extend({
  organization_id: Id,
  description: z.string().nullable(),
  /** Addresses that get a copy of each reply by email, such as those in Cc of the customer's email. */
  cc: z.array(z.string()).default([]),
  /** Members who get notifications about the ticket, in addition to the assignee. */
  watchers: z.array(Id).default([]),
  /** The channel through which the ticket was created; null for tickets older than this field. */
  channel: z.enum(ticketChannels).nullable().default(null),
  /** The resolved or closed ticket that it follows up on (`customer_follow_up: new_ticket`). */
  follow_up_of_id: Id.nullable().default(null),
  /** Whether the website that embeds the widget has verified the customer's address. */
  customer_verified: z.boolean().default(false),
  /** When it was imported from another help desk or an export; null for all others. It gets a task only through a backfill. */
  imported_at: Timestamp.nullable().default(null),
  /** When the retention policy removed the customer and all texts; null for all others. Such a ticket accepts no changes. */
  anonymized_at: Timestamp.nullable().default(null),
  /** The customer's language; null if it is not known. Emails use it if the organization offers it, otherwise the default language. */
  language: CustomerLanguage.nullable().default(null),
  /** Hours of working time, without pauses, from the creation to the first public staff comment. */
  first_response_time_hours: z.number().nullable().default(null),
  /** Hours of working time, without pauses, from the creation to `resolved_at`. */
  resolution_time_hours: z.number().nullable().default(null),
  /** How often the ticket was reopened. */
  reopen_count: z.number().int().default(0),
  /** Number of public comments by staff. */
  public_reply_count: z.number().int().default(0),
  /** The values of the organization's custom fields (`GET /custom-fields`) by their keys. Fields without a value are missing. */
  custom_fields: z.record(z.string(), CustomFieldValue).default({}),
});
export type Ticket = z.infer<typeof Ticket>;

// ---- inputs ---------------------------------------------------------------------------------------------------

export const staffRequired = 'Subject and customer email are required';
const tag = requiredText(50, 'A tag must not be blank');
export const Tags = z.array(tag).max(ticketLimits.tags);
/** Each address once. */
export const Cc = z
  .array(email())
  .max(ticketLimits.cc, `At most ${ticketLimits.cc} addresses`)
  .transform((addresses) => [...new Set(addresses)]);
/** Uploaded files (`POST /attachments`) to attach; each can be attached only once. */
export const AttachmentIds = z.array(Id).max(attachmentRules.maxFiles, `At most ${attachmentRules.maxFiles} files`);

const externalId = blankToNull(ticketLimits.externalId);

export const CreateTicket = z.strictObject({
  subject: requiredText(ticketLimits.subject, staffRequired),
  description: blankToNull(ticketLimits.description),
  customer_email: email(staffRequired),
  customer_name: blankToNull(ticketLimits.name),
  category: blankToNull(ticketLimits.category),
  /** Default: the organization's default priority. */
  priority: TicketPriority.optional(),
  tags: Tags.default([]),
  external_id: externalId,
  language: CustomerLanguage.nullish(),
  cc: Cc.default([]),
  attachment_ids: AttachmentIds.default([]),
  custom_fields: CustomFieldChanges.default({}),
});
export type CreateTicket = z.infer<typeof CreateTicket>;

export const UpdateTicket = z
  .strictObject({
    status: TicketStatus,
    priority: TicketPriority,
    assigned_to: Id.nullable(),
    subject: requiredText(ticketLimits.subject, staffRequired),
    description: blankToNull(ticketLimits.description),
    category: blankToNull(ticketLimits.category),
    tags: Tags,
    customer_name: blankToNull(ticketLimits.name),
    customer_email: email(staffRequired),
    external_id: externalId,
    language: CustomerLanguage.nullable(),
    cc: Cc,
    custom_fields: CustomFieldChanges,
  })
  .partial()
  .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change');
export type UpdateTicket = z.infer<typeof UpdateTicket>;

/** Comma-separated or repeated, see `decodeList`. */
const queryList = <T extends z.ZodType<string, string>>(item: T, max = 20) =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().flatMap(decodeList))
    .pipe(z.array(item).max(max));

/** A date means its start in UTC. */
const dateOrTime = z
  .union([Timestamp, z.iso.date().transform((day) => `${day}T00:00:00.000Z`)], 'Send a date, or a time in UTC')
  // PostgreSQL has no year 0.
  .refine((time) => time >= '0001', 'Send a date, or a time in UTC');

const yesOrNo = z.enum(['true', 'false'], 'Send true or false');

/** The filters that take several values, any of which matches. */
const listFilters = { status: TicketStatus, priority: TicketPriority, tag };
const valueFilters = {
  /** Matches text in the subject, customer name, email or number, or all words in the description or in one comment. */
  search: text(ticketLimits.search),
  /** A member's id, `me` or `unassigned`. */
  assignee: z.union([z.literal('me'), z.literal('unassigned'), Id]),
  category: text(ticketLimits.category),
  /** Whether a ticket has a task; `finished`: the task is finished, and the customer has not been informed. */
  task: z.enum(taskFilters),
  /** Whether a ticket is snoozed. Without this filter, both. */
  snoozed: yesOrNo,
};
type Lists<Input> = { [Name in keyof typeof listFilters]: z.ZodType<z.output<(typeof listFilters)[Name]>[], Input> };
const listsOf = <Input>(list: (item: z.ZodType<string, string>) => z.ZodType<string[], Input>) =>
  Object.fromEntries(Object.entries(listFilters).map(([name, item]) => [name, list(item)])) as Lists<Input>;

/**
 * One of the orders, or `custom_fields.<key>` of a field of the types text, number or date: ascending, then tickets without a value. No enum,
 * because the fields of the organization are not known here.
 */
const sortOrder = <const Order extends string>(orders: readonly Order[]) =>
  z
    .string()
    .refine(
      (name) => (orders as readonly string[]).includes(name) || /^custom_fields\.[a-z][a-z0-9_]{0,39}$/.test(name),
      `Must be one of: ${orders.join(', ')}, or custom_fields. with the key of a custom field`,
    )
    .meta({ examples: [...orders, 'custom_fields.order_number'] }) as unknown as z.ZodType<Order | CustomFieldName, string>;

/** The filters of a saved view, as JSON; each is also a filter of the list. `me` in a shared view means the current user. */
export const ViewFilter = z
  .strictObject({
    ...valueFilters,
    ...listsOf((item) => z.array(item).max(20)),
    /** Only tickets that match it, in addition to the other filters. */
    condition: ViewCondition,
    sort: sortOrder(ticketSorts),
  })
  .partial();
export type ViewFilter = z.infer<typeof ViewFilter>;

/** A condition as JSON, for a URL. */
const conditionText = z
  .string()
  .max(conditionLimits.viewBytes, `At most ${conditionLimits.viewBytes} bytes`)
  .transform((json, issues): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      issues.addIssue({ code: 'custom', message: 'Send a condition as JSON' });
      return z.NEVER;
    }
  })
  .pipe(ViewCondition);

const hours = z.string().regex(/^\d{1,6}(\.\d{1,4})?$/, 'Send a number of hours');
const oneToSeven = z.enum(['1', '2', '3', '4', '5', '6', '7'], 'Send a day from 1 (Monday) to 7');
const hourOfDay = z.string().regex(/^(\d|1\d|2[0-3])$/, 'Send an hour from 0 to 23');

/**
 * The filters behind the figures of the analytics page, which saved views do not have. A range includes its start (`_from`) and excludes
 * its end (`_to`).
 */
const figureFilters = z
  .object({
    /** `none`: tickets without a channel. */
    channel: queryList(z.enum([...ticketChannels, 'none'])),
    /** Whether a ticket has a category. */
    has_category: yesOrNo,
    /** Tickets with a category other than these. */
    other_category: queryList(text(ticketLimits.category), analyticsLimits.keys),
    /** Tickets with a tag other than these. */
    other_tag: queryList(tag, analyticsLimits.keys),
    /** Whether a ticket was escalated. */
    escalated: yesOrNo,
    /** Whether a ticket missed a due time. */
    breached: yesOrNo,
    /** When a ticket first missed a due time. */
    breached_from: dateOrTime,
    breached_to: dateOrTime,
    /** Whether a ticket was ever reopened. */
    reopened: yesOrNo,
    /** Tickets that were reopened in this time. */
    reopened_from: dateOrTime,
    reopened_to: dateOrTime,
    /** Tickets that were resolved, or closed without being resolved, in this time. */
    resolved_from: dateOrTime,
    resolved_to: dateOrTime,
    /** Whether a ticket was resolved with exactly one public comment by staff. */
    one_touch: yesOrNo,
    /** Whether a ticket has a `first_response_time_hours`, because staff replied, and the range of these hours. */
    has_first_response_time: yesOrNo,
    first_response_hours_from: hours,
    first_response_hours_to: hours,
    /** Whether a ticket has a `resolution_time_hours`, because it is resolved, and the range of these hours. */
    has_resolution_time: yesOrNo,
    resolution_hours_from: hours,
    resolution_hours_to: hours,
    /** Whether the customer was sent a survey, or has answered it. */
    survey: z.enum(surveyFilters),
    /** The customer's rating. */
    rating: queryList(z.enum(['1', '2', '3', '4', '5'])),
    /** Tickets that existed at this time and were neither resolved nor closed: the backlog. */
    open_at: dateOrTime,
    /** 1 (Monday) to 7 and 0 to 23, in the organization's time zone. */
    created_weekday: oneToSeven,
    created_hour: hourOfDay,
  })
  .partial();

/** The filters of the list. */
export const TicketFilter = PageQuery.extend({
  ...z.object({ ...valueFilters, ...listsOf(queryList) }).partial().shape,
  /** Only tickets that match a condition, as JSON of at most 2,500 bytes; otherwise as in a saved view. */
  condition: conditionText.optional(),
  /** All tickets of one customer. */
  customer_email: email().optional(),
  created_from: dateOrTime.optional(),
  /** Exclusive. */
  created_to: dateOrTime.optional(),
  /** Tickets whose `updated_at` is at or after this time. With `sort=updated_oldest` and the cursor a poller reads every change once. */
  updated_since: dateOrTime.optional(),
  external_id: text(ticketLimits.externalId).optional(),
  /** `updated_oldest`: the least recently updated first. The app does not offer it. */
  sort: sortOrder([...ticketSorts, 'updated_oldest']).default('newest'),
  /** Limits the result to these tickets, so that a loaded list can refresh some of its rows. */
  ids: queryList(Id, 100).optional(),
  ...figureFilters.shape,
}).strict();
export type TicketFilter = z.infer<typeof TicketFilter>;

export const BulkChange = z.strictObject({
  ids: z.array(Id).min(1, 'Choose some tickets first').max(100, 'At most 100 tickets'),
  changes: z
    .strictObject({
      status: TicketStatus,
      priority: TicketPriority,
      assigned_to: Id.nullable(),
      add_tags: Tags,
      remove_tags: Tags,
    })
    .partial()
    .refine((changes) => Object.keys(changes).length > 0, 'Nothing to change'),
});
export type BulkChange = z.infer<typeof BulkChange>;
/** `ticket` if it was changed (or needed no change), otherwise the `code` of the problem. */
export const BulkResult = z.object({
  id: Id,
  ticket: TicketBase.nullable(),
  code: z.string().nullable(),
});
export type BulkResult = z.infer<typeof BulkResult>;

export const byTicket = { params: z.object({ id: Id }) };

// ---- operations: staff ----------------------------------------------------------------------------------------

export const ticketEtag = (ticket: { version: number }) => `v${ticket.version}`;

export const listTickets = operation({
  name: 'tickets.list',
  summary:
    'List tickets, filtered, searched and sorted. A search counts at most 1,000 matches; unless sorted by age, it sorts the 1,000 newest matches.',
  owner,
  method: 'GET',
  path: '/tickets',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { query: TicketFilter },
  output: TicketSummary,
  paginated: true,
  etag: 'content',
  versioned: true,
});
export const createTicket = operation({
  name: 'tickets.create',
  summary: 'Create a ticket for a customer.',
  owner,
  method: 'POST',
  path: '/tickets',
  allow: 'ticket.write',
  token: 'tickets:write',
  status: 201,
  idempotent: true,
  input: { body: CreateTicket },
  output: Ticket,
  problems: ['attachment.not_usable', 'ticket.external_id_taken'],
});
export const readTicket = operation({
  name: 'tickets.read',
  summary: 'Read a ticket with all fields.',
  owner,
  method: 'GET',
  path: '/tickets/:id',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: Ticket,
  etag: ticketEtag,
  versioned: true,
  problems: ['ticket.not_found'],
});
export const updateTicket = operation({
  name: 'tickets.update',
  summary: 'Change fields of a ticket; with `If-Match` only if the version still matches.',
  owner,
  method: 'PATCH',
  path: '/tickets/:id',
  allow: 'ticket.write',
  token: 'tickets:write',
  idempotent: true,
  input: { ...byTicket, body: UpdateTicket },
  output: Ticket,
  etag: ticketEtag,
  problems: ['ticket.not_found', 'ticket.changed', 'ticket.locked', 'ticket.external_id_taken', 'assignee.not_a_member'],
});
export const changeTickets = operation({
  name: 'tickets.bulk',
  summary: 'Apply the same change to up to 100 tickets; the response contains the result of each.',
  owner,
  method: 'POST',
  path: '/tickets/bulk',
  allow: 'ticket.write',
  token: 'tickets:write',
  input: { body: BulkChange },
  output: z.array(BulkResult),
  problems: ['assignee.not_a_member'],
});
export const mergeTicket = operation({
  name: 'tickets.merge',
  summary: 'Merge a duplicate into another ticket of the same customer: moves its conversation and closes it.',
  owner,
  method: 'POST',
  path: '/tickets/:id/merge',
  allow: 'ticket.write',
  token: 'tickets:write',
  input: { ...byTicket, body: z.strictObject({ into_id: Id }) },
  /** The ticket into which it was merged. */
  output: Ticket,
  problems: ['ticket.not_found', 'ticket.merge_refused'],
});
export const unmergeTicket = operation({
  name: 'tickets.unmerge',
  summary: 'Undo the merge of this ticket into another one, as long as neither has changed since.',
  owner,
  method: 'POST',
  path: '/tickets/:id/unmerge',
  allow: 'ticket.write',
  input: byTicket,
  /** The ticket that was merged, as it was before. */
  output: Ticket,
  problems: ['ticket.not_found', 'ticket.unmerge_refused'],
});
/** For callers that know a person's name or address, and need the id. */
export const listAssignees = operation({
  name: 'tickets.listAssignees',
  summary: 'List the active members that tickets can be assigned to, by email address.',
  owner,
  method: 'GET',
  path: '/assignees',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { query: PageQuery.extend({ /** Text in the name or the address. */ search: text(ticketLimits.search).optional() }).strict() },
  output: Assignee,
  paginated: true,
});
const byWatcher = { params: z.object({ id: Id, userId: Id }) };
export const addWatcher = operation({
  name: 'tickets.addWatcher',
  summary: 'Add a member as a watcher of a ticket.',
  owner,
  method: 'PUT',
  path: '/tickets/:id/watchers/:userId',
  allow: 'ticket.write',
  input: byWatcher,
  output: Ticket,
  problems: ['ticket.not_found', 'assignee.not_a_member'],
});
export const removeWatcher = operation({
  name: 'tickets.removeWatcher',
  summary: 'Remove a member from the watchers of a ticket.',
  owner,
  method: 'DELETE',
  path: '/tickets/:id/watchers/:userId',
  allow: 'ticket.write',
  input: byWatcher,
  output: Ticket,
  problems: ['ticket.not_found'],
});

// ---- events ---------------------------------------------------------------------------------------------------

/** The changes, field by field. For long texts only the field is named, because the ticket has the text. */
export const Changes = z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }));
export type Changes = z.infer<typeof Changes>;

const seen = { live: true, public: true };
/**
 * `quiet`: the customer gets no confirmation, because their email forbids automatic replies, or too many emails opened tickets within a
 * short time.
 */
export const ticketCreated = event('ticket.created', owner, z.object({ ticket: Ticket, quiet: z.boolean().optional() }), seen);
/** The change was made together with a public staff comment, whose own event notifies the customer of both. */
const withReply = { with_reply: z.boolean().optional() };
export const ticketUpdated = event('ticket.updated', owner, z.object({ ticket: Ticket, changes: Changes, ...withReply }), seen);
export const ticketAssigned = event('ticket.assigned', owner, z.object({ ticket: Ticket, from: Id.nullable() }), seen);
export const ticketResolved = event('ticket.resolved', owner, z.object({ ticket: Ticket, ...withReply }), seen);
export const ticketClosed = event('ticket.closed', owner, z.object({ ticket: Ticket, ...withReply }), seen);
export const ticketReopened = event('ticket.reopened', owner, z.object({ ticket: Ticket }), seen);
/** A duplicate was closed and its conversation moved; `ticket.updated` is also emitted for both tickets. */
export const ticketMerged = event('ticket.merged', owner, z.object({ ticket: Ticket, into: Ticket }), seen);

/** When a ticket was resolved or reopened, in order. */
export const TicketMoment = z.object({ kind: z.enum(ticketMoments), at: Timestamp });
export type TicketMoment = z.infer<typeof TicketMoment>;
/** Everything that analytics needs to know about a ticket. */
export const TicketHistory = z.object({
  ticket: Ticket.pick({
    id: true,
    organization_id: true,
    ticket_number: true,
    status: true,
    priority: true,
    category: true,
    tags: true,
    channel: true,
    assigned_to: true,
    created_at: true,
    updated_at: true,
    resolved_at: true,
    first_response_at: true,
    first_response_time_hours: true,
    resolution_time_hours: true,
    sla_breached_at: true,
    escalated_at: true,
    reopen_count: true,
    public_reply_count: true,
    /** Of the types choice, choices and yes_no only. */
    custom_fields: true,
  }),
  /** The sequence of the ticket's newest event, which this state includes. */
  sequence: z.number().int(),
  moments: z.array(TicketMoment),
  survey_sent_at: Timestamp.nullable(),
  survey: z.object({ rating: z.number().int(), feedback: z.string().nullable(), created_at: Timestamp }).nullable(),
});
export type TicketHistory = z.infer<typeof TicketHistory>;
/** A part of the organization's tickets, sent because analytics requested them, not because they changed. The subject is the organization. */
export const ticketHistories = event('ticket.histories', owner, z.object({ histories: z.array(TicketHistory).min(1) }));
/** The histories of all `count` tickets of the organization have been sent. The subject is the organization. */
export const ticketHistoryCompleted = event('ticket.history_completed', owner, z.object({ rebuild_id: Id, count: z.number().int() }));
