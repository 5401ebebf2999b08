import * as z from 'zod';
import { event, job, operation, serviceNames, type ServiceName } from './define';
import { Export } from './exports';
import { PageQuery } from './pagination';
import { email, Id, requiredText, Timestamp } from './scalars';
import {
  erasedKinds,
  erasureRemains,
  erasureStates,
  privacyLimits,
  retentionActions,
  type ErasedKind,
  type ErasureRemain,
} from './values/privacy';
import { ticketLimits } from './values/tickets';

const owner = 'tickets';

// ---- shapes ---------------------------------------------------------------------------------------------------

const Erased = z.partialRecord(z.enum(Object.keys(erasedKinds) as [ErasedKind]), z.number().int());
const Remains = z.array(z.enum(Object.keys(erasureRemains) as [ErasureRemain]));

/** The erasure of everything that the organization stores about a customer. Once it is done, it is the receipt. */
export const Erasure = z.object({
  id: Id,
  /** Null once it is done or cancelled: the receipt contains no data of the customer. */
  email: z.string().nullable(),
  state: z.enum(erasureStates),
  starts_at: Timestamp,
  /** Null if the user was deleted. */
  requested_by: Id.nullable(),
  created_at: Timestamp,
  finished_at: Timestamp.nullable(),
  /** What each service has deleted; null until it has answered. */
  answers: z.record(z.enum(serviceNames), Erased.nullable()),
  /** What was not deleted. Complete once it is done. */
  remains: Remains,
});
export type Erasure = z.infer<typeof Erasure>;

/** What an erasure would delete. */
export const ErasurePreview = z.object({
  counts: Erased,
  /** The latest tickets of the customer, at most 10. */
  tickets: z.array(z.object({ id: Id, ticket_number: z.string(), subject: z.string() })),
  /** Tickets of other customers with comments of this one, or with the address in Cc: only these parts are erased. */
  other_tickets: z.number().int(),
  /** Tickets that are linked to tasks, which stay. */
  linked_tasks: z.number().int(),
});
export type ErasurePreview = z.infer<typeof ErasurePreview>;

/** Which resolved and closed tickets are deleted or anonymized each night. Counts and times stay in analytics. */
export const RetentionPolicy = z.object({
  is_active: z.boolean(),
  /** `anonymize`: tickets stay for reports, without everything that was written by or about the customer. */
  action: z.enum(retentionActions).default('delete'),
  /** Months since the last change of the ticket. */
  months: z.number().int(),
  /** Tickets of these categories stay. */
  kept_categories: z.array(z.string()),
  updated_at: Timestamp.nullable(),
});
export type RetentionPolicy = z.infer<typeof RetentionPolicy>;
const RetentionInput = z.strictObject({
  is_active: z.boolean(),
  action: z.enum(retentionActions, 'Choose delete or anonymize').default('delete'),
  months: z
    .number()
    .int('Enter whole months')
    .min(privacyLimits.minMonths, 'At least 1 month')
    .max(privacyLimits.maxMonths, 'At most 120 months'),
  kept_categories: z.array(requiredText(ticketLimits.category, 'Enter a category')).max(privacyLimits.categories).default([]),
});

// ---- operations -----------------------------------------------------------------------------------------------

const byId = { params: z.object({ id: Id }) };
const admin = { owner, allow: 'data.erase' } as const;

export const previewErasure = operation({
  name: 'tickets.previewErasure',
  summary: 'Count what an erasure of a customer would delete.',
  ...admin,
  method: 'POST',
  path: '/erasures/preview',
  input: { body: z.strictObject({ email: email() }) },
  output: ErasurePreview,
});
export const createErasure = operation({
  name: 'tickets.createErasure',
  summary: 'Erase a customer in every service, immediately or later.',
  ...admin,
  method: 'POST',
  path: '/erasures',
  status: 201,
  idempotent: true,
  input: {
    body: z.strictObject({
      email: email(),
      /** Hours from now; it can be cancelled until then. */
      delay_hours: z.number().int().min(0).max(privacyLimits.delayHours).default(24),
    }),
  },
  output: Erasure,
  problems: ['erasure.exists', 'erasure.too_many', 'erasure.member'],
});
export const listErasures = operation({
  name: 'tickets.listErasures',
  summary: 'List erasures and their receipts, newest first.',
  ...admin,
  method: 'GET',
  path: '/erasures',
  input: { query: PageQuery.strict() },
  output: Erasure,
  paginated: true,
});
export const readErasure = operation({
  name: 'tickets.readErasure',
  summary: 'Read an erasure or its receipt.',
  ...admin,
  method: 'GET',
  path: '/erasures/:id',
  input: byId,
  output: Erasure,
  problems: ['erasure.not_found'],
});
export const cancelErasure = operation({
  name: 'tickets.cancelErasure',
  summary: 'Cancel an erasure that has not started.',
  ...admin,
  method: 'DELETE',
  path: '/erasures/:id',
  input: byId,
  output: Erasure,
  problems: ['erasure.not_found', 'erasure.started'],
});
/** An export that contains only what is stored about the customer. Listed and downloaded like all exports. */
export const exportCustomer = operation({
  name: 'tickets.exportCustomer',
  summary: 'Export everything that the organization stores about a customer, as a readable archive.',
  ...admin,
  method: 'POST',
  path: '/customer-exports',
  status: 201,
  idempotent: true,
  input: { body: z.strictObject({ email: email() }) },
  output: Export,
  problems: ['export.running', 'export.too_many'],
});
export const readRetention = operation({
  name: 'tickets.readRetention',
  summary: 'Read which resolved and closed tickets are deleted or anonymized each night.',
  ...admin,
  method: 'GET',
  path: '/retention',
  output: RetentionPolicy,
});
export const saveRetention = operation({
  name: 'tickets.saveRetention',
  summary: 'Change which resolved and closed tickets are deleted or anonymized each night.',
  ...admin,
  method: 'PUT',
  path: '/retention',
  input: { body: RetentionInput },
  output: RetentionPolicy,
});
export const previewRetention = operation({
  name: 'tickets.previewRetention',
  summary: 'Count the tickets that a retention policy would delete or anonymize now.',
  ...admin,
  method: 'POST',
  path: '/retention/preview',
  input: { body: RetentionInput },
  output: z.object({ tickets: z.number().int(), nights: z.number().int() }),
});

// ---- events and jobs ------------------------------------------------------------------------------------------

/** For the audit log, without data of the customer. Its subject is the erasure. */
export const erasureChanged = event(
  'erasure.changed',
  owner,
  z.object({ what: z.enum(['requested', 'cancelled', 'finished']), tickets: z.number().int() }),
  { audited: true },
);
/** For the audit log. Its subject is the organization. */
export const retentionChanged = event(
  'retention.changed',
  owner,
  z.object({ what: z.enum(['updated', 'applied']), policy: RetentionPolicy, tickets: z.number().int() }),
  { audited: true },
);
/**
 * Each service deletes what it stores about the address, apart from the customer's tickets (`tickets.deleted`), and answers
 * (`….erasure_answered`). `ticket_count`: the number of these tickets. Its subject is the erasure.
 */
export const erasureRequested = event(
  'erasure.requested',
  owner,
  z.object({ erasure_id: Id, email: z.string(), ticket_count: z.number().int() }),
);
const answer = <const S extends Exclude<ServiceName, 'tickets'>>(service: S) =>
  event(`${service}.erasure_answered` as const, service, z.object({ erasure_id: Id, erased: Erased, remains: Remains }));
/** A service has deleted everything that it stored. Its subject is the erasure. */
export const identityErasureAnswered = answer('identity');
export const notificationsErasureAnswered = answer('notifications');
export const integrationsErasureAnswered = answer('integrations');
export const analyticsErasureAnswered = answer('analytics');

/** The answers of all services. */
export const erasureAnswers = [
  identityErasureAnswered,
  notificationsErasureAnswered,
  integrationsErasureAnswered,
  analyticsErasureAnswered,
];

/** Deletes the tickets of a customer in batches, then requests the other services to delete. */
export const runErasure = job({
  type: 'run_erasure',
  owner,
  queue: 'privacy',
  data: z.object({ erasure_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 10_000, 60_000],
});
/** Deletes or anonymizes tickets of an organization with a retention policy, at most 2,000 per night. */
export const applyRetention = job({
  type: 'apply_retention',
  owner,
  queue: 'privacy',
  data: z.object({}),
  attempts: 3,
  backoffMs: [60_000],
});
