import * as z from 'zod';
import { event, job, operation } from './define';
import { Id, text, Timestamp } from './scalars';
import { byTicket, TicketPriority, TicketStatus } from './tickets';
import { analyticsLimits, analyticsRanges, courseFigures, defaultAnalyticsRange } from './values/analytics';
import { customFieldKey, customFieldLimits } from './values/custom-fields';
import { ticketChannels } from './values/customers';
import { ticketLimits } from './values/tickets';

const owner = 'analytics';

// ---- the dashboard's counts -------------------------------------------------------------------------------------

/** The dashboard's counts; `open` is the sum of the statuses open and in_progress. */
export const TicketStats = z.object({
  total: z.number().int(),
  open: z.number().int(),
  resolved: z.number().int(),
  unassigned: z.number().int(),
});
export type TicketStats = z.infer<typeof TicketStats>;

export const readTicketStats = operation({
  name: 'analytics.ticketStats',
  summary: 'Counts for the dashboard.',
  owner,
  method: 'GET',
  path: '/tickets/stats',
  allow: 'ticket.read',
  token: 'tickets:read',
  output: TicketStats,
});

// ---- the figures of a range -------------------------------------------------------------------------------------

/** A calendar day in the organization's time zone. PostgreSQL has no year 0. */
const Day = z.iso.date('Send a day as YYYY-MM-DD').refine((day) => day >= '0001-01-01', 'Days start with the year 0001');
const range = {
  /** The number of days up to today; ignored if `from` and `to` are sent. */
  range: z
    .enum(analyticsRanges.map(String) as [`${(typeof analyticsRanges)[number]}`])
    .default(`${defaultAnalyticsRange}`)
    .transform(Number),
  /** First and last day of a custom range. */
  from: Day.optional(),
  to: Day.optional(),
};
const dayMs = 86_400_000;
type Range = { from?: string | undefined; to?: string | undefined };
const isComplete = ({ from, to }: Range) => (from === undefined) === (to === undefined);
const isOrdered = ({ from, to }: Range) => from === undefined || to === undefined || from <= to;
const isShort = ({ from, to }: Range) =>
  from === undefined || to === undefined || (Date.parse(to) - Date.parse(from)) / dayMs < analyticsLimits.days;
const checked = <S extends z.ZodType<Range>>(schema: S) =>
  schema
    .refine(isComplete, { path: ['to'], error: 'Send both the first and the last day' })
    .refine(isOrdered, { path: ['to'], error: 'The last day is before the first' })
    .refine(isShort, { path: ['to'], error: `Choose at most ${analyticsLimits.days} days` });

/** Filters of the cohort. Several filters apply together. */
const filters = z
  .object({
    priority: TicketPriority,
    channel: z.enum(ticketChannels),
    category: text(ticketLimits.category),
    /** A member's id or `unassigned`. */
    assignee: z.union([z.literal('unassigned'), Id]),
    tag: text(50),
  })
  .partial();
export const AnalyticsQuery = checked(z.strictObject({ ...range, ...filters.shape }));
export type AnalyticsQuery = z.infer<typeof AnalyticsQuery>;

const Count = z.number().int();
/** Averages, medians and rates over non-empty entries; null if there are none. Rates are percentages. */
const Figure = z.number().nullable();

/** The figures of the tickets created in a range (`metricDefinitions` defines how each is counted). Durations are in hours of working time. */
export const AnalyticsFigures = z.object({
  total_tickets: Count,
  open_tickets: Count,
  /** Tickets with a first response. */
  responded_tickets: Count,
  avg_first_response_hours: Figure,
  median_first_response_hours: Figure,
  p90_first_response_hours: Figure,
  /** Tickets that are resolved, that is, with a resolution time. */
  resolved_tickets: Count,
  avg_resolution_hours: Figure,
  median_resolution_hours: Figure,
  p90_resolution_hours: Figure,
  surveys_sent: Count,
  ratings: Count,
  avg_satisfaction: Figure,
  /** The number of ratings of 1, 2, 3, 4 and 5. */
  satisfaction_distribution: z.array(Count).length(5),
  survey_response_rate: Figure,
  sla_breaches: Count,
  sla_compliance: Figure,
  escalated_tickets: Count,
  escalation_rate: Figure,
  reopened_tickets: Count,
  reopen_rate: Figure,
  one_touch_tickets: Count,
  one_touch_rate: Figure,
});
export type AnalyticsFigures = z.infer<typeof AnalyticsFigures>;

/** Events by the local day on which they happened, regardless of when the tickets were created. A ticket counts once a day for each. */
export const AnalyticsDay = z.object({
  day: Day,
  created: Count,
  resolved: Count,
  reopened: Count,
  /** Tickets neither resolved nor closed at the end of the day, or now if the day has not ended. */
  backlog: Count,
  breaches: Count,
});
export type AnalyticsDay = z.infer<typeof AnalyticsDay>;

/** One bar of a histogram: durations of at least `from_hours` and less than `to_hours` (null: no upper bound). */
export const HistogramBar = z.object({ from_hours: z.number(), to_hours: z.number().nullable(), count: Count });
export type HistogramBar = z.infer<typeof HistogramBar>;

/**
 * The largest keys first. `key` is null for tickets without a category. `rest` counts the tickets with a category or a tag that is not listed,
 * as the list's `other_category` and `other_tag` do.
 */
export const Distribution = z.object({ items: z.array(z.object({ key: z.string().nullable(), count: Count })), rest: Count });
export type Distribution = z.infer<typeof Distribution>;

/** A member's tickets of the cohort. */
export const TeamMember = z.object({
  user_id: Id,
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  email: z.string(),
  /** False for members who have left. */
  is_active: z.boolean(),
  assigned: Count,
  open: Count,
  resolved: Count,
  median_first_response_hours: Figure,
  median_resolution_hours: Figure,
  avg_satisfaction: Figure,
  ratings: Count,
});
export type TeamMember = z.infer<typeof TeamMember>;

/** The days that the figures cover. */
export const AnalyticsPeriod = z.object({
  from: Day,
  to: Day,
  /** The start of the first day, and the end of the last (exclusive), for the ticket list's `created_from` and `created_to`. */
  from_time: Timestamp,
  to_time: Timestamp,
});

export const Analytics = z.object({
  period: AnalyticsPeriod,
  time_zone: z.string(),
  /** Whether a combination of filters is not stored per day, so that the figures were computed from the tickets. */
  computed_live: z.boolean(),
  /** Whether the figures are being computed again, after a change to the time zone or a rebuild; they may be incomplete. */
  is_rebuilding: z.boolean(),
  /** Whether the organization has any ticket at all. */
  has_tickets: z.boolean(),
  figures: AnalyticsFigures,
  /** The preceding period of the same length. */
  previous: z.object({ period: AnalyticsPeriod, figures: AnalyticsFigures }),
  per_day: z.array(AnalyticsDay),
  /** Some of the figures for the tickets created on each day of `per_day`, to four digits; null on days without entries. */
  figures_per_day: z.record(z.enum(courseFigures), z.array(Figure)),
  first_response_histogram: z.array(HistogramBar),
  resolution_histogram: z.array(HistogramBar),
  by_priority: z.array(z.object({ key: TicketPriority, count: Count, breaches: Count })),
  by_status: z.array(z.object({ key: TicketStatus, count: Count })),
  /** `null`: tickets older than the field. */
  by_channel: z.array(z.object({ key: z.enum(ticketChannels).nullable(), count: Count })),
  by_category: Distribution,
  by_tag: Distribution,
  team: z.array(TeamMember),
  /** Created by weekday (Monday first) and hour, in the organization's time zone. */
  arrivals: z.array(z.array(Count).length(24)).length(7),
  /** The five newest ratings with a text. */
  feedback: z.array(
    z.object({
      ticket_id: Id,
      ticket_number: z.string(),
      rating: z.number().int(),
      feedback: z.string(),
      created_at: Timestamp,
    }),
  ),
  /** Changes with every figure; the entity tag is derived from it. */
  version: z.string(),
});
export type Analytics = z.infer<typeof Analytics>;

const analyticsEtag = ({ version }: { version: string }) => version;

export const readAnalytics = operation({
  name: 'analytics.read',
  summary: 'The figures of the tickets created in a range, compared with the preceding period of the same length.',
  owner,
  method: 'GET',
  path: '/analytics',
  allow: 'analytics.read',
  token: 'analytics:read',
  input: { query: AnalyticsQuery },
  output: Analytics,
  etag: analyticsEtag,
});

/** The tickets created in a range by the value of a custom field of the type choice, choices or yes_no. */
export const AnalyticsByField = z.object({
  key: z.string(),
  period: AnalyticsPeriod,
  total_tickets: Count,
  /**
   * Tickets with each value, the most frequent first. A ticket with several choices counts once for each of them. `value` is null for tickets
   * without a value, true or false for yes_no, and may be an option that was removed from the field.
   */
  rows: z.array(z.object({ value: z.union([z.string(), z.boolean()]).nullable(), count: Count })),
  /** Changes with every figure; the entity tag is derived from it. */
  version: z.string(),
});
export type AnalyticsByField = z.infer<typeof AnalyticsByField>;

export const readAnalyticsByField = operation({
  name: 'analytics.readByField',
  summary: 'The tickets created in a range by the value of a custom field. No ticket has a value of a field that does not exist.',
  owner,
  method: 'GET',
  path: '/analytics/by-field',
  allow: 'analytics.read',
  token: 'analytics:read',
  input: {
    query: checked(
      z.strictObject({
        ...range,
        ...filters.shape,
        key: z.string().max(customFieldLimits.key).regex(customFieldKey, 'Send the key of a custom field'),
      }),
    ),
  },
  output: AnalyticsByField,
  etag: analyticsEtag,
});

/** An agent's own figures: the tickets assigned to them. */
export const MyAnalytics = z.object({
  period: AnalyticsPeriod,
  time_zone: z.string(),
  figures: AnalyticsFigures,
  previous: z.object({ period: AnalyticsPeriod, figures: AnalyticsFigures }),
  version: z.string(),
});
export type MyAnalytics = z.infer<typeof MyAnalytics>;

export const readMyAnalytics = operation({
  name: 'analytics.readMine',
  summary: 'The caller’s own figures: of the tickets created in a range that are assigned to the caller.',
  owner,
  method: 'GET',
  path: '/analytics/me',
  allow: 'ticket.read',
  input: { query: checked(z.strictObject(range)) },
  output: MyAnalytics,
  etag: analyticsEtag,
});

/** The metrics of one ticket. */
export const TicketMetrics = z.object({
  organization_id: Id,
  ticket_id: Id,
  created_at: Timestamp,
  first_response_time_hours: Figure,
  resolution_time_hours: Figure,
  customer_satisfaction_rating: z.number().int().nullable(),
  sla_breached: z.boolean(),
  escalated: z.boolean(),
  reopen_count: Count,
  public_reply_count: Count,
});
export type TicketMetrics = z.infer<typeof TicketMetrics>;

export const readTicketMetrics = operation({
  name: 'analytics.ticketMetrics',
  summary: 'The metrics of one ticket, as the analytics count it.',
  owner,
  method: 'GET',
  path: '/tickets/:id/metrics',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: byTicket,
  output: TicketMetrics,
  problems: ['ticket.not_found'],
});

/** One ticket of the export: its metrics and its main fields. */
export const ExportedTicket = TicketMetrics.extend({
  ticket_number: z.string(),
  status: TicketStatus,
  priority: TicketPriority,
  category: z.string().nullable(),
  tags: z.array(z.string()),
  channel: z.enum(ticketChannels).nullable(),
  /** The assignee's name, or the address without a name. */
  assignee: z.string().nullable(),
  first_response_at: Timestamp.nullable(),
  resolved_at: Timestamp.nullable(),
});
export type ExportedTicket = z.infer<typeof ExportedTicket>;

export const listExportedTickets = operation({
  name: 'analytics.listExportedTickets',
  summary: 'The tickets of a range with their metrics, oldest first, in pages.',
  owner,
  method: 'GET',
  path: '/analytics/tickets',
  allow: 'analytics.read',
  token: 'analytics:read',
  input: { query: checked(z.strictObject({ ...range, ...filters.shape, cursor: z.string().min(1).max(500).optional() })) },
  output: z.object({ items: z.array(ExportedTicket), next_cursor: z.string().nullable() }),
});
export const exportAnalytics = operation({
  name: 'gateway.exportAnalytics',
  summary: 'The tickets of a range with their metrics as a CSV file, one line each, oldest first.',
  owner: 'gateway',
  method: 'GET',
  path: '/analytics/export.csv',
  allow: 'analytics.read',
  token: 'analytics:read',
  handwritten: true,
  input: { query: AnalyticsQuery },
  output: z.string(),
});

// ---- events and jobs --------------------------------------------------------------------------------------------

/** The counts and figures of an organization, the subject, have changed because of tickets or a finished rebuild: open pages reload them. */
export const metricsUpdated = event('metrics.updated', owner, z.object({}), { live: true });

/**
 * The database of analytics is new. Identity sends `organization.snapshot` and `member.snapshots` for all organizations that existed before;
 * the events of later ones are in the stream.
 */
export const analyticsInstalled = event('analytics.installed', owner, z.object({ installed_at: Timestamp }), { tenant: false });

/** Its subject is the organization. Analytics needs all tickets again: the tickets service sends `ticket.histories`. */
export const analyticsRebuildRequested = event('analytics.rebuild_requested', owner, z.object({ rebuild_id: Id }));

/** Emits `analytics.installed` once; the row in `installation` is the source of truth. */
export const announceInstallation = job({
  type: 'announce_installation',
  owner,
  queue: 'metrics',
  data: z.object({}),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
  tenant: false,
});
/** Recomputes the roll-ups of the organization's dirty days; the rows in `dirty_days` are the source of truth. */
export const rollUpDays = job({
  type: 'roll_up_days',
  owner,
  queue: 'metrics',
  data: z.object({}),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
/** Compares some stored roll-ups of an organization with a recount; `recounted_at` in `organizations` is the source of truth. */
export const recountDays = job({
  type: 'recount_days',
  owner,
  queue: 'metrics',
  data: z.object({}),
  attempts: 1,
  backoffMs: [60_000],
});
