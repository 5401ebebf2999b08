import {
  AnalyticsQuery,
  listComments,
  listTickets,
  listViews,
  readAnalytics,
  readTicketSla,
  TicketFilter,
  ViewFilter,
  type AnalyticsFigures,
  type SlaClock,
} from '@tandem/contracts';
import * as z from 'zod';
import { commentRow, commentText, findTicket, more, nameOf, rowText, ticketDetails, ticketReference, ticketRow } from './texts';
import { maxItems, page, tool, type Tool } from './tool';

const { search, category, task, status, priority, tag, sort } = ViewFilter.shape;
const { customer_email, created_from, created_to, updated_since, external_id, assignee } = TicketFilter.shape;

const searchTickets = tool({
  name: 'search_tickets',
  title: 'Search tickets',
  description:
    'Find tickets by text, status, priority, tag, category, assignee, customer or time, the newest first by default. Returns one line for each; get_ticket has the conversation.',
  permissions: ['tickets:read'],
  input: z.strictObject({
    search: search.describe(
      'Text in the subject, the customer’s name or address or the number; or all words in the description or one comment',
    ),
    status,
    priority,
    tag,
    category,
    assignee: assignee.describe('unassigned, or the id of a member, as get_ticket returns it'),
    customer_email,
    created_from,
    created_to,
    updated_since,
    external_id,
    task: task.describe(
      'Whether a ticket has a task in a task tool; finished: the task is finished, and the customer has not been informed',
    ),
    sort,
    ...page,
  }),
  effect: 'read',
  async run(context, query) {
    const { items, pagination } = await context.call(listTickets, { query });
    const tickets = items.map((item) => ticketRow(item, context));
    const { total, total_is_capped, next_cursor } = pagination;
    const found = `${total}${total_is_capped === true ? ' or more' : ''} ${total === 1 ? 'ticket' : 'tickets'}`;
    return { text: [found, ...tickets.map(rowText), ...more(next_cursor)].join('\n'), data: { total, tickets, next_cursor } };
  },
});

const getTicket = tool({
  name: 'get_ticket',
  title: 'Read a ticket',
  description:
    'One ticket: its fields, and its latest comments from oldest to newest (messages from the customer, replies to the customer and internal notes). The cursor gets earlier comments.',
  permissions: ['tickets:read'],
  input: z.strictObject({ ticket: ticketReference, ...page }),
  effect: 'read',
  async run(context, { ticket: reference, limit, cursor }) {
    const found = await findTicket(context, reference);
    const query = { order: 'desc', limit, cursor } as const;
    const { items, pagination } = await context.call(listComments, { params: { id: found.id }, query });
    const ticket = ticketDetails(found, context);
    const comments = items.map((comment) => commentRow(comment, context.untrusted)).reverse();
    const lines = [
      rowText(ticket),
      ...(ticket.description === null ? [] : [`Description by the customer:\n${ticket.description}`]),
      ...comments.map(commentText),
      ...(pagination.next_cursor === null ? [] : [`There are earlier comments. Next cursor: ${pagination.next_cursor}`]),
    ];
    return { text: lines.join('\n\n'), data: { ticket, comments, next_cursor: pagination.next_cursor } };
  },
});

const getCustomerHistory = tool({
  name: 'get_customer_history',
  title: 'Read a customer’s history',
  description: 'All tickets of one customer by email address, the newest first.',
  permissions: ['tickets:read'],
  input: z.strictObject({ customer_email: customer_email.unwrap(), ...page }),
  effect: 'read',
  async run(context, query) {
    const { items, pagination } = await context.call(listTickets, { query });
    const tickets = items.map((item) => ({ ...ticketRow(item, context), resolved_at: item.resolved_at, comments: item.comment_count }));
    const { total, next_cursor } = pagination;
    const heading = total === 0 ? 'This customer has no tickets' : `${total} ${total === 1 ? 'ticket' : 'tickets'}`;
    return { text: [heading, ...tickets.map(rowText), ...more(next_cursor)].join('\n'), data: { total, tickets, next_cursor } };
  },
});

const listSharedViews = tool({
  name: 'list_views',
  title: 'List views',
  description: 'The views that the team shares: each is a set of filters for search_tickets, with a name.',
  permissions: ['tickets:read'],
  input: z.strictObject({
    cursor: z
      .string()
      .regex(/^\d{1,4}$/, 'Send next_cursor of the previous result')
      .optional(),
  }),
  effect: 'read',
  async run({ call, untrusted }, { cursor = '0' }) {
    const all = await call(listViews, {});
    const end = Number(cursor) + maxItems;
    const views = all
      .slice(Number(cursor), end)
      .map(({ id, name, filter }) => ({ id, name: untrusted(name), filter: filterOf(filter, untrusted) }));
    const next_cursor = end < all.length ? `${end}` : null;
    const lines = views.map(({ name, filter }) => `${name}: ${JSON.stringify(filter)}`);
    const heading = all.length === 0 ? 'No view is shared' : `${all.length} shared ${all.length === 1 ? 'view' : 'views'}`;
    return { text: [heading, ...lines, ...more(next_cursor)].join('\n'), data: { views, next_cursor } };
  },
});

/** A view's filter; the texts in it are its author's. */
function filterOf(filter: ViewFilter, untrusted: (text: string) => string) {
  const { search: words, category: name, tag: tags, ...rest } = filter;
  return {
    ...rest,
    ...(words === undefined ? {} : { search: untrusted(words) }),
    ...(name === undefined ? {} : { category: untrusted(name) }),
    ...(tags === undefined ? {} : { tag: tags.map((each) => untrusted(each)) }),
  };
}

const whyDue = tool({
  name: 'why_is_ticket_due',
  title: 'Explain when a ticket is due',
  description:
    'Explains the due times of a ticket: its service-level policy, its two timers (first response and resolution), and why they are paused.',
  permissions: ['tickets:read'],
  input: z.strictObject({ ticket: ticketReference }),
  effect: 'read',
  async run(context, { ticket: reference }) {
    const ticket = await findTicket(context, reference);
    const sla = await context.call(readTicketSla, { params: { id: ticket.id } });
    const number = ticket.ticket_number;
    if (sla === null) {
      const reason = `No service-level policy was active for the priority ${ticket.priority} when it was set, so ${number} has no due times.`;
      return { text: reason, data: { number, priority: ticket.priority, sla: null } };
    }
    const { policy, clocks, counts_working_time, paused_minutes, escalates_at } = sla;
    const name = context.untrusted(policy.name);
    const lines = [
      `${number} has the priority ${ticket.priority}. The policy ${name} allows ${policy.response_time_hours} hours until the first response and ${policy.resolution_time_hours} hours until the resolution.`,
      counts_working_time ? 'Only business hours count.' : 'All hours count.',
      ...clocks.map(clockText),
      ...(paused_minutes > 0 ? [`The timers waited for the customer for ${paused_minutes} minutes in total.`] : []),
      ...(escalates_at === null ? [] : [`Unless it is resolved before, it is escalated at ${escalates_at}.`]),
    ];
    return { text: lines.join('\n'), data: { number, priority: ticket.priority, sla: { ...sla, policy: { ...policy, name } } } };
  },
});

const clockNames = { response: 'First response', resolution: 'Resolution' } as const;
const pauseReasons = {
  waiting_for_customer: 'the ticket waits for the customer',
  outside_business_hours: 'it is outside business hours',
} as const;

function clockText({ clock, state, due_at, met_at, remaining_minutes, paused_by, resumes_at }: SlaClock): string {
  const name = clockNames[clock];
  if (state === 'met') return `${name}: met at ${met_at}.`;
  if (state === 'missed') return `${name}: met too late, at ${met_at}.`;
  const due = due_at === null ? 'it has no due time while it is paused' : `due at ${due_at}`;
  const left = remaining_minutes < 0 ? `${-remaining_minutes} minutes overdue` : `${remaining_minutes} minutes left`;
  const resumes = resumes_at === null ? '' : `, until ${resumes_at}`;
  return `${name}: ${due}, ${left}${paused_by === null ? '' : `; paused because ${pauseReasons[paused_by]}${resumes}`}.`;
}

const analyticsSummary = tool({
  name: 'analytics_summary',
  title: 'Summarize analytics',
  description:
    'The figures of the tickets that were created in a range (7, 30, 90 days, or from and to), compared with the preceding period of the same length. Durations are in hours of working time, rates in percent.',
  permissions: ['analytics:read'],
  input: AnalyticsQuery,
  effect: 'read',
  async run({ call, untrusted, linkTo }, { range, ...query }) {
    const found = await call(readAnalytics, { query: { ...query, range: `${range}` as '30' } });
    const { period, previous, figures, by_status, by_priority, by_channel } = found;
    const team = found.team.slice(0, maxItems).map(({ user_id, assigned, open, resolved, ...member }) => ({
      id: user_id,
      name: untrusted(nameOf(member)),
      assigned,
      open,
      resolved,
      median_resolution_hours: member.median_resolution_hours,
      avg_satisfaction: member.avg_satisfaction,
    }));
    const named = ({ items, rest }: typeof found.by_tag) => ({
      items: items.slice(0, maxItems).map(({ key, count }) => ({ key: key === null ? null : untrusted(key), count })),
      rest: rest + items.slice(maxItems).reduce((sum, { count }) => sum + count, 0),
    });
    return {
      text: [
        `${period.from} to ${period.to} (${found.time_zone}), compared with ${previous.period.from} to ${previous.period.to}`,
        ...figureLines(figures, previous.figures),
        `By status: ${by_status.map(({ key, count }) => `${key} ${count}`).join(', ')}`,
        ...(found.is_rebuilding ? ['The figures are being computed again and may be incomplete.'] : []),
      ].join('\n'),
      data: {
        period: { from: period.from, to: period.to },
        time_zone: found.time_zone,
        is_rebuilding: found.is_rebuilding,
        figures,
        previous: { period: { from: previous.period.from, to: previous.period.to }, figures: previous.figures },
        by_status,
        by_priority,
        by_channel,
        by_category: named(found.by_category),
        by_tag: named(found.by_tag),
        team,
        url: linkTo('/analytics'),
      },
    };
  },
});

const figureNames = {
  total_tickets: 'Tickets created',
  open_tickets: 'Still open',
  resolved_tickets: 'Resolved',
  median_first_response_hours: 'Median hours until the first response',
  median_resolution_hours: 'Median hours until the resolution',
  avg_satisfaction: 'Average rating (1 to 5)',
  sla_compliance: 'Due times met (%)',
  escalation_rate: 'Escalated (%)',
  reopen_rate: 'Reopened (%)',
} as const satisfies Partial<Record<keyof AnalyticsFigures, string>>;

function figureLines(now: AnalyticsFigures, before: AnalyticsFigures): string[] {
  const shown = (value: number | null) => (value === null ? 'none' : `${Math.round(value * 100) / 100}`);
  return (Object.keys(figureNames) as (keyof typeof figureNames)[]).map(
    (name) => `${figureNames[name]}: ${shown(now[name])} (before: ${shown(before[name])})`,
  );
}

export const readTools: readonly Tool[] = [searchTickets, getTicket, listSharedViews, getCustomerHistory, whyDue, analyticsSummary];
