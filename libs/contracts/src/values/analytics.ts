/** Names, limits and definitions of the analytics page that services, browsers and emails share, without a dependency on zod. */

/** Ranges in days, counted back from today in the organization's time zone. */
export const analyticsRanges = [7, 30, 90] as const;
export type AnalyticsRange = (typeof analyticsRanges)[number];
export const defaultAnalyticsRange: AnalyticsRange = 30;
export const analyticsLimits = {
  /** Days of a custom range. */
  days: 366,
  /** Keys listed in the distributions by category and by tag; the rest is summed. */
  keys: 100,
  /** Their length in an address, which servers accept up to 16 kB. */
  keysLength: 8_000,
  /** Tickets read for a combination of filters that is not stored per day. */
  liveTickets: 200_000,
  /** Scheduled reports of an organization, and recipients of each. */
  reports: 20,
  recipients: 50,
} as const;

/** The figures that the page shows with their trend over the range, in display order. */
export const courseFigures = [
  'total_tickets',
  'open_tickets',
  'median_first_response_hours',
  'median_resolution_hours',
  'avg_satisfaction',
  'sla_breaches',
  'sla_compliance',
  'escalation_rate',
  'reopen_rate',
  'one_touch_rate',
] as const;
export type CourseFigure = (typeof courseFigures)[number];

/** The events of a ticket that are counted per day. */
export const ticketMoments = ['resolved', 'reopened'] as const;
export type TicketMoment = (typeof ticketMoments)[number];

export const reportFrequencies = ['weekly', 'monthly'] as const;
export type ReportFrequency = (typeof reportFrequencies)[number];
export const reportFrequencyLabels: Record<ReportFrequency, string> = {
  weekly: 'Every Monday',
  monthly: 'On the first day of each month',
};

/**
 * The figures of the page and of report emails, in display order, with the answer to 'How is this counted?'. The administrator's guide shows
 * the same texts. `better` decides whether a change is good or bad.
 */
export const metricDefinitions = {
  total_tickets: {
    label: 'Total tickets',
    better: null,
    definition: 'Tickets created in the range. Days start at midnight in the organization’s time zone.',
  },
  open_tickets: {
    label: 'Open tickets',
    better: null,
    definition: 'Tickets created in the range that are open or in progress now.',
  },
  first_response: {
    label: 'First response',
    better: 'less',
    definition:
      'Time from the creation of a ticket to the first public comment by staff. Only business hours count, and waiting for the customer does not. Tickets without a response are left out.',
  },
  resolution: {
    label: 'Resolution',
    better: 'less',
    definition:
      'Time from the creation of a ticket to its last resolution. Only business hours count, and waiting for the customer does not. A reopened ticket is left out until it is resolved again.',
  },
  avg_satisfaction: {
    label: 'Satisfaction',
    better: 'more',
    definition: 'Average rating from 1 to 5 of the tickets created in the range. Tickets without a rating are left out.',
  },
  survey_response_rate: {
    label: 'Survey response rate',
    better: 'more',
    definition: 'Surveys answered, divided by surveys sent.',
  },
  sla_breaches: {
    label: 'SLA breaches',
    better: 'less',
    definition: 'Tickets created in the range that missed the due time of their first response or of their resolution.',
  },
  sla_compliance: {
    label: 'SLA compliance',
    better: 'more',
    definition: 'Tickets created in the range without an SLA breach, divided by all tickets created in it.',
  },
  escalation_rate: {
    label: 'Escalation rate',
    better: 'less',
    definition: 'Escalated tickets, divided by all tickets created in the range.',
  },
  reopen_rate: {
    label: 'Reopen rate',
    better: 'less',
    definition: 'Tickets reopened at least once, divided by all tickets created in the range.',
  },
  one_touch_rate: {
    label: 'One-touch rate',
    better: 'more',
    definition: 'Tickets resolved with exactly one public comment by staff, divided by all resolved tickets of the range.',
  },
  per_day: {
    label: 'Figures per day',
    better: null,
    definition:
      'Tickets created, resolved or closed, reopened, and breaching an SLA on each day, regardless of when they were created. A ticket counts at most once a day for each, and for SLA breaches only on the day of its first missed due time. The backlog is the number of tickets that were neither resolved nor closed at the end of the day.',
  },
  priority: {
    label: 'Tickets by priority',
    better: null,
    definition: 'Tickets created in the range, by the priority that they have now.',
  },
  status: {
    label: 'Tickets by status',
    better: null,
    definition: 'Tickets created in the range, by the status that they have now.',
  },
  channel: {
    label: 'Tickets by channel',
    better: null,
    definition: 'Tickets created in the range, by how they were created. The channel of old tickets can be unknown.',
  },
  category: {
    label: 'Tickets by category',
    better: null,
    definition: 'Tickets created in the range, by the category that they have now.',
  },
  tags: {
    label: 'Tickets by tag',
    better: null,
    definition: 'Tickets created in the range, by the tags that they have now. A ticket counts once for each of its tags.',
  },
  custom_field: {
    label: 'Tickets by custom field',
    better: null,
    definition:
      'Tickets created in the range, by the value that they have now. A ticket with several choices counts once for each of them. “No value” includes tickets whose category does not have the field.',
  },
} as const satisfies Record<string, { label: string; better: 'more' | 'less' | null; definition: string }>;
export type MetricName = keyof typeof metricDefinitions;
