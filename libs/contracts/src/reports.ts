import * as z from 'zod';
import { Analytics } from './analytics';
import { TimeZone } from './business-hours';
import { event, job, operation } from './define';
import { Id, Timestamp } from './scalars';
import { analyticsLimits, reportFrequencies } from './values/analytics';

const owner = 'analytics';

const recipients = z
  .array(Id)
  .min(1, 'Choose at least one member')
  .max(analyticsLimits.recipients, `Choose at most ${analyticsLimits.recipients} members`);
/** A report that is emailed to members at 08:00: the preceding week (Monday to Sunday) or month, in days of the organization's time zone. */
export const Report = z.object({
  id: Id,
  frequency: z.enum(reportFrequencies),
  /** Active admins and managers; those who have left, become agents or unsubscribed are removed. */
  recipient_ids: z.array(Id),
  /** Where 08:00 is; null: in the organization's time zone. */
  time_zone: z.string().nullable(),
  created_by: Id,
  created_at: Timestamp,
  next_at: Timestamp,
  last_sent_at: Timestamp.nullable(),
  /** Grows with every change to the frequency, the recipients or the time zone. */
  version: z.number().int(),
});
export type Report = z.infer<typeof Report>;
const settings = { frequency: z.enum(reportFrequencies), recipient_ids: recipients, time_zone: TimeZone.nullable() };
const byReport = { params: z.object({ id: Id }) };

export const listReports = operation({
  name: 'analytics.listReports',
  summary: 'The scheduled reports of the organization.',
  owner,
  method: 'GET',
  path: '/analytics/reports',
  allow: 'analytics.read',
  output: z.array(Report),
});
export const createReport = operation({
  name: 'analytics.createReport',
  summary: 'Schedule a report by email.',
  owner,
  method: 'POST',
  path: '/analytics/reports',
  allow: 'analytics.read',
  status: 201,
  idempotent: true,
  input: { body: z.strictObject({ ...settings, time_zone: settings.time_zone.optional() }) },
  output: Report,
  problems: ['report.too_many', 'assignee.not_a_member'],
});
export const updateReport = operation({
  name: 'analytics.updateReport',
  summary: 'Change the frequency, the recipients or the time zone of a scheduled report.',
  owner,
  method: 'PATCH',
  path: '/analytics/reports/:id',
  allow: 'analytics.read',
  input: {
    ...byReport,
    /** With the `version` that the caller has read, a change is refused if the report has changed since: a recipient may have unsubscribed. */
    body: z.strictObject({ ...settings, version: z.number().int() }).partial(),
  },
  output: Report,
  problems: ['report.not_found', 'report.changed', 'assignee.not_a_member'],
});
export const deleteReport = operation({
  name: 'analytics.deleteReport',
  summary: 'End a scheduled report.',
  owner,
  method: 'DELETE',
  path: '/analytics/reports/:id',
  allow: 'analytics.read',
  input: byReport,
  output: z.object({}),
  problems: ['report.not_found'],
});

/**
 * The token in the unsubscribe link of a report email: the ids of the organization, the report and the recipient, joined by spaces and
 * sealed with the purpose `report-unsubscribe` (`Secrets` of the platform library). Notifications seals it, analytics opens it.
 */
const unsubscribeToken = z.string().min(1).max(500);
/** Removes the recipient of the token from the report. Succeeds if the recipient or report no longer exists, so it can be repeated. */
export const leaveReport = operation({
  name: 'analytics.leaveReport',
  summary: 'Stop sending a report to the member that the token of its email identifies.',
  owner,
  method: 'POST',
  path: '/internal/reports/leave',
  allow: 'gateway',
  input: { body: z.strictObject({ token: unsubscribeToken }) },
  output: z.object({}),
  problems: ['unsubscribe.invalid'],
});
/**
 * For the button on the page that the link opens, and for mail programs that unsubscribe in one click (RFC 8058). A GET shows that page and
 * changes nothing, because mail scanners follow links.
 */
export const unsubscribe = operation({
  name: 'gateway.unsubscribe',
  summary: 'Unsubscribe from a report with the link in its email. Returns a page.',
  owner: 'gateway',
  method: 'POST',
  path: '/unsubscribe',
  allow: 'public',
  handwritten: true,
  input: { query: z.object({ token: unsubscribeToken }) },
  output: z.string(),
  problems: ['unsubscribe.invalid'],
});

/** Its subject is the report. Notifications emails it to the recipients. */
export const reportDue = event(
  'report.due',
  owner,
  z.object({
    report_id: Id,
    frequency: z.enum(reportFrequencies),
    recipient_ids: z.array(Id),
    time_zone: z.string(),
    analytics: Analytics.pick({ period: true, figures: true, previous: true, per_day: true, by_priority: true }),
  }),
);

/** Emits a report that is due; its row in `reports` is the source of truth. */
export const sendReport = job({
  type: 'send_report',
  owner,
  queue: 'metrics',
  data: z.object({ report_id: Id }),
  attempts: 5,
  backoffMs: [1_000, 5_000, 30_000, 120_000],
});
