import type { AnalyticsFigures } from '@tandem/contracts';
import type { History } from './random-history';

/** The response of `GET /analytics`, counted ticket by ticket without any of the service's own code. */
export interface NaiveFilter {
  priority?: string;
  channel?: string;
  category?: string;
  assignee?: string;
  tag?: string;
}
const matching =
  (filter: NaiveFilter) =>
  (history: History): boolean => {
    const { priority, channel, category, assigned_to, tags } = history.ticket;
    return (
      (filter.priority === undefined || priority === filter.priority) &&
      (filter.channel === undefined || channel === filter.channel) &&
      (filter.category === undefined || category === filter.category) &&
      (filter.assignee === undefined || (assigned_to ?? 'unassigned') === filter.assignee) &&
      (filter.tag === undefined || tags.includes(filter.tag))
    );
  };

interface LocalParts {
  day: string;
  hour: number;
  weekday: number;
}
/** The same few times are formatted repeatedly, and creating a formatter is slow. */
const formats = new Map<string, Intl.DateTimeFormat>();
const known = new Map<string, LocalParts>();

export function localParts(zone: string, at: string): LocalParts {
  const id = `${zone} ${at}`;
  const parts = known.get(id) ?? computeLocalParts(zone, at);
  known.set(id, parts);
  return parts;
}

function computeLocalParts(zone: string, at: string): LocalParts {
  const format = formats.get(zone) ?? newFormat(zone);
  formats.set(zone, format);
  const parts = format.formatToParts(new Date(at));
  const part = (type: string) => parts.find((one) => one.type === type)!.value;
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  return { day, hour: Number(part('hour')), weekday: (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7 };
}

const newFormat = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', hourCycle: 'h23' });

const mean = (values: number[]) => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length);
const rank = (values: number[], p: number) =>
  values.length === 0 ? null : [...values].sort((a, b) => a - b)[Math.max(1, Math.ceil(p * values.length)) - 1]!;
const percent = (part: number, all: number) => (all === 0 ? null : (part / all) * 100);
const present = <T>(values: (T | null)[]): T[] => values.filter((value) => value !== null);

/** The lower bounds of the histograms' bars, in hours. */
const edges = [0, 0.25, 0.5, 1, 2, 4, 8, 16, 24, 48, 72, 168];
const histogram = (hours: (number | null)[]) =>
  edges.map((from_hours, i) => {
    const to_hours = edges[i + 1] ?? null;
    const count = present(hours).filter((value) => value >= from_hours && (to_hours === null || value < to_hours)).length;
    return { from_hours, to_hours, count };
  });

function figures(cohort: History[]): AnalyticsFigures {
  const tickets = cohort.map(({ ticket }) => ticket);
  const count = (test: (history: History) => boolean) => cohort.filter(test).length;
  const responses = present(tickets.map((ticket) => ticket.first_response_time_hours));
  const resolutions = present(tickets.map((ticket) => ticket.resolution_time_hours));
  const ratings = present(cohort.map(({ survey }) => survey?.rating ?? null));
  const surveys_sent = count(({ survey_sent_at }) => survey_sent_at !== null);
  const sla_breaches = count(({ ticket }) => ticket.sla_breached_at !== null);
  const escalated_tickets = count(({ ticket }) => ticket.escalated_at !== null);
  const reopened_tickets = count(({ ticket }) => ticket.reopen_count > 0);
  const one_touch_tickets = count(({ ticket }) => ticket.resolution_time_hours !== null && ticket.public_reply_count === 1);
  const total = cohort.length;
  return {
    total_tickets: total,
    open_tickets: count(({ ticket }) => ticket.status === 'open' || ticket.status === 'in_progress'),
    responded_tickets: responses.length,
    avg_first_response_hours: mean(responses),
    median_first_response_hours: rank(responses, 0.5),
    p90_first_response_hours: rank(responses, 0.9),
    resolved_tickets: resolutions.length,
    avg_resolution_hours: mean(resolutions),
    median_resolution_hours: rank(resolutions, 0.5),
    p90_resolution_hours: rank(resolutions, 0.9),
    surveys_sent,
    ratings: ratings.length,
    avg_satisfaction: mean(ratings),
    satisfaction_distribution: [1, 2, 3, 4, 5].map((rating) => ratings.filter((one) => one === rating).length),
    survey_response_rate: percent(
      count(({ survey, survey_sent_at }) => survey !== null && survey_sent_at !== null),
      surveys_sent,
    ),
    sla_breaches,
    sla_compliance: percent(total - sla_breaches, total),
    escalated_tickets,
    escalation_rate: percent(escalated_tickets, total),
    reopened_tickets,
    reopen_rate: percent(reopened_tickets, total),
    one_touch_tickets,
    one_touch_rate: percent(one_touch_tickets, resolutions.length),
  };
}

const addDays = (day: string, days: number) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function counted<T extends string | null>(values: T[]): { key: T; count: number }[] {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, count })).sort((a, b) => b.count - a.count || ((a.key ?? '') < (b.key ?? '') ? -1 : 1));
}

/** Whether a ticket was neither resolved nor closed at the end of a day. */
function isUnresolved({ ticket, moments }: History, zone: string, day: string): boolean {
  if (localParts(zone, ticket.created_at).day > day) return false;
  const last = [...moments].sort((a, b) => (a.at < b.at ? -1 : 1)).findLast(({ at }) => localParts(zone, at).day <= day);
  return last?.kind !== 'resolved';
}

const courseNames = [
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
const toFourDigits = (value: number | null) => (value === null ? null : Number(value.toPrecision(4)));

export function naiveAnalytics(all: History[], zone: string, filter: NaiveFilter, from: string, to: string) {
  const histories = all.filter(matching(filter));
  const created = (history: History) => localParts(zone, history.ticket.created_at).day;
  const inPeriod = (first: string, last: string) => histories.filter((history) => created(history) >= first && created(history) <= last);
  const cohort = inPeriod(from, to);
  const days = daysOf(from, to);
  const happened = (history: History, kind: string, day: string) =>
    history.moments.some((moment) => moment.kind === kind && localParts(zone, moment.at).day === day);
  const breachedOn = ({ ticket }: History) => ticket.sla_breached_at && localParts(zone, ticket.sla_breached_at).day;
  const arrivals = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  for (const { ticket } of cohort) {
    const { weekday, hour } = localParts(zone, ticket.created_at);
    arrivals[weekday]![hour]! += 1;
  }
  const ofDays = days.map((day) => figures(inPeriod(day, day)));
  const course = (name: (typeof courseNames)[number]) => ofDays.map((each) => toFourDigits(each[name]));
  const assignees = [...new Set(present(cohort.map(({ ticket }) => ticket.assigned_to)))];
  return {
    figures: figures(cohort),
    previous: figures(inPeriod(addDays(from, -days.length), addDays(from, -1))),
    per_day: days.map((day) => ({
      day,
      created: histories.filter((history) => created(history) === day).length,
      resolved: histories.filter((history) => happened(history, 'resolved', day)).length,
      reopened: histories.filter((history) => happened(history, 'reopened', day)).length,
      backlog: histories.filter((history) => isUnresolved(history, zone, day)).length,
      breaches: histories.filter((history) => breachedOn(history) === day).length,
    })),
    figures_per_day: Object.fromEntries(courseNames.map((name) => [name, course(name)])),
    first_response_histogram: histogram(cohort.map(({ ticket }) => ticket.first_response_time_hours)),
    resolution_histogram: histogram(cohort.map(({ ticket }) => ticket.resolution_time_hours)),
    by_priority: ['low', 'medium', 'high', 'urgent'].map((key) => {
      const tickets = cohort.filter(({ ticket }) => ticket.priority === key);
      return { key, count: tickets.length, breaches: tickets.filter(({ ticket }) => ticket.sla_breached_at !== null).length };
    }),
    by_status: ['open', 'in_progress', 'waiting_for_customer', 'resolved', 'closed'].map((key) => ({
      key,
      count: cohort.filter(({ ticket }) => ticket.status === key).length,
    })),
    by_channel: counted(cohort.map(({ ticket }) => ticket.channel)),
    by_category: { items: counted(cohort.map(({ ticket }) => ticket.category)), rest: 0 },
    by_tag: { items: counted(cohort.flatMap(({ ticket }) => ticket.tags)), rest: 0 },
    arrivals,
    team: assignees
      .map((user_id) => {
        const own = figures(cohort.filter(({ ticket }) => ticket.assigned_to === user_id));
        return {
          user_id,
          assigned: own.total_tickets,
          open: own.open_tickets,
          resolved: own.resolved_tickets,
          ratings: own.ratings,
          avg_satisfaction: own.avg_satisfaction,
          median_first_response_hours: own.median_first_response_hours,
          median_resolution_hours: own.median_resolution_hours,
        };
      })
      .sort((a, b) => b.assigned - a.assigned || (a.user_id < b.user_id ? -1 : 1)),
    feedback: cohort
      .flatMap(({ ticket, survey }) =>
        survey?.feedback
          ? [
              {
                ticket_id: ticket.id,
                ticket_number: ticket.ticket_number,
                rating: survey.rating,
                feedback: survey.feedback,
                created_at: survey.created_at,
              },
            ]
          : [],
      )
      .sort((a, b) => (a.created_at > b.created_at ? -1 : 1))
      .slice(0, 5),
  };
}
