import { Ticket, TicketSummary, UpdateTicket, type CreateTicket, type CustomFieldChanges } from '@tandem/contracts';

/** The fields of a ticket that are columns of `tickets`. The assignee is joined. */
export type StoredTicket = Omit<Ticket, 'assignee'>;
export type StoredField = keyof StoredTicket;

/** The SQL types that a parameter for a field can have. */
type SqlType<Value> = [Value] extends [string | null]
  ? 'text' | 'uuid' | 'timestamptz'
  : [Value] extends [boolean | null]
    ? 'boolean'
    : [Value] extends [number | null]
      ? 'integer'
      : [Value] extends [string[] | null]
        ? 'text[]' | 'uuid[]'
        : [Value] extends [Ticket['custom_fields']]
          ? 'jsonb'
          : never;

/** The fields that every new ticket has a value for. `priority` has the organization's default. */
type Given = 'organization_id' | 'id' | 'subject' | 'customer_email' | 'created_at' | 'priority';
interface Inserted<Field extends StoredField> {
  insert: SqlType<StoredTicket[Field]>;
}
/** A field that can be missing is null then; one that cannot be null needs a default. */
type Insertable<Field extends StoredField> = Field extends Given
  ? Inserted<Field>
  : null extends StoredTicket[Field]
    ? Inserted<Field>
    : Inserted<Field> & { default: StoredTicket[Field] };

/**
 * How a field is written.
 * - `insert`: the SQL type of the value that a new ticket can have. Without it, a new ticket has the column's default.
 * - `change`: who can change it later: clients, the service only, or neither.
 */
type Rule<Field extends StoredField> = (Field extends keyof CreateTicket ? Insertable<Field> : Insertable<Field> | { insert?: never }) & {
  change: Field extends keyof UpdateTicket ? 'client' : 'service' | 'never';
};
/** Fields of the inputs that are not fields of a ticket. Files are attached separately. */
type Unknown = Exclude<keyof CreateTicket | keyof UpdateTicket, StoredField | 'attachment_ids'>;

/** Every stored field with its rule. A new field of the contract does not compile until it has a rule that agrees with the inputs. */
const rules = {
  organization_id: { insert: 'uuid', change: 'never' },
  id: { insert: 'uuid', change: 'never' },
  ticket_number: { change: 'never' },
  external_id: { insert: 'text', change: 'client' },
  subject: { insert: 'text', change: 'client' },
  description: { insert: 'text', change: 'client' },
  status: { change: 'client' },
  priority: { insert: 'text', change: 'client' },
  category: { insert: 'text', change: 'client' },
  tags: { insert: 'text[]', default: [], change: 'client' },
  customer_name: { insert: 'text', change: 'client' },
  customer_email: { insert: 'text', change: 'client' },
  customer_verified: { insert: 'boolean', default: false, change: 'never' },
  channel: { insert: 'text', change: 'never' },
  imported_at: { change: 'never' },
  anonymized_at: { change: 'never' },
  language: { insert: 'text', change: 'client' },
  cc: { insert: 'text[]', default: [], change: 'client' },
  follow_up_of_id: { insert: 'uuid', change: 'never' },
  assigned_to: { change: 'client' },
  watchers: { change: 'service' },
  comment_count: { change: 'never' },
  last_comment_at: { change: 'service' },
  customer_replied_last: { change: 'service' },
  public_reply_count: { change: 'never' },
  reopen_count: { change: 'never' },
  task: { change: 'service' },
  clickup_task_id: { change: 'service' },
  task_finished_at: { change: 'service' },
  task_outcome: { change: 'service' },
  created_at: { insert: 'timestamptz', change: 'never' },
  updated_at: { change: 'never' },
  resolved_at: { change: 'service' },
  first_response_at: { change: 'service' },
  response_due_at: { change: 'service' },
  resolution_due_at: { change: 'service' },
  next_due_at: { change: 'service' },
  sla_paused_since: { change: 'service' },
  sla_breached_at: { change: 'service' },
  escalated_at: { change: 'service' },
  first_response_time_hours: { change: 'service' },
  resolution_time_hours: { change: 'service' },
  snoozed_at: { change: 'service' },
  snoozed_until: { change: 'service' },
  merged_into_id: { change: 'service' },
  version: { change: 'never' },
  custom_fields: { insert: 'jsonb', default: {}, change: 'client' },
} as const satisfies { [Field in StoredField]: Rule<Field> } & Record<Unknown, never>;

type Rules = typeof rules;
type FieldWith<Part> = { [Field in StoredField]: Rules[Field] extends Part ? Field : never }[StoredField];
export type InsertedField = FieldWith<{ insert: string }>;
type ChangeableField = FieldWith<{ change: 'client' | 'service' }>;
export type ClientField = FieldWith<{ change: 'client' }>;

const keysOf = <T extends object>(shape: T) => Object.keys(shape) as (keyof T)[];

/** The columns of a ticket, and those of a row of the list, which has only the beginning of the description. */
export const ticketFields = keysOf(Ticket.shape).filter((field) => field !== 'assignee');
export const summaryFields = keysOf(TicketSummary.shape).filter(
  (field) => field !== 'assignee' && field !== 'description_preview' && field !== 'is_unread' && field !== 'sort_value',
);
/** The fields that clients can change. */
export const clientFields: readonly ClientField[] = keysOf(UpdateTicket.shape);
/** The columns of a new ticket with the SQL types of their values. */
export const insertedFields = ticketFields
  .filter((field): field is InsertedField => 'insert' in rules[field])
  .map((field) => {
    const rule: { insert: string; default?: unknown } = rules[field];
    return { field, type: rule.insert, missing: rule.default ?? null };
  });

/** The fields that a change writes; `new_comments` and `new_public_replies` are added to the counts of comments. */
export type TicketChange = Partial<Pick<Ticket, ChangeableField>> & {
  /** Sequence of the event that links or unlinks its task. */
  task_sequence?: number;
  new_comments?: number;
  new_public_replies?: number;
};

type OptionalField = Exclude<InsertedField, Exclude<Given, 'priority'>>;
/** A new ticket of any source: the API, a form for customers, an email or the demo data. Fields that are missing have their defaults. */
export type NewTicket = Pick<Ticket, 'subject' | 'customer_email'> & {
  [Field in Exclude<OptionalField, 'custom_fields'>]?: Ticket[Field] | undefined;
} & {
  /** As given; they are checked against the organization's fields. */
  custom_fields?: CustomFieldChanges;
  /** The form that the values are from: it requires some fields, and refuses or ignores others. */
  form?: 'portal' | 'widget';
  /** Uploaded files to attach to the description. */
  attachment_ids?: string[];
  /** Send the customer no confirmation. */
  quiet?: boolean;
};
/** The columns of a new ticket that its source does not set. */
export type NewTicketKey = Pick<Ticket, 'organization_id' | 'id' | 'created_at'>;
