import type { AnalyticsFigures } from '@tandem/contracts';
import { metricDefinitions, priorityLabels, type MetricName, type TicketPriority } from '@tandem/contracts/values';
import type { EmailChart, EmailFigure, FigureChange } from '../email/email-content';
import type { ReportMail } from '../schema';

type Analytics = ReportMail['analytics'];
type Period = Pick<Analytics['period'], 'from' | 'to'>;

const none = '—';
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const rating = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Hours as '3 h 20 min'. */
export function durationText(hours: number): string {
  const minutes = Math.round(hours * 60);
  const [wholeHours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (wholeHours === 0) return `${rest} min`;
  return rest === 0 ? `${number.format(wholeHours)} h` : `${number.format(wholeHours)} h ${rest} min`;
}
const countText = (value: number) => number.format(value);
const percentText = (value: number) => `${percent.format(value)}%`;

/** The figures of the report, with how each is read and formatted. */
const metrics: Record<
  Exclude<MetricName, 'per_day' | 'priority' | 'status' | 'channel' | 'category' | 'tags' | 'custom_field'>,
  { read: (figures: AnalyticsFigures) => number | null; write: (value: number) => string; detail?: string }
> = {
  total_tickets: { read: (figures) => figures.total_tickets, write: countText },
  open_tickets: { read: (figures) => figures.open_tickets, write: countText },
  first_response: { read: (figures) => figures.median_first_response_hours, write: durationText, detail: 'median' },
  resolution: { read: (figures) => figures.median_resolution_hours, write: durationText, detail: 'median' },
  avg_satisfaction: { read: (figures) => figures.avg_satisfaction, write: (value) => `${rating.format(value)} of 5` },
  survey_response_rate: { read: (figures) => figures.survey_response_rate, write: percentText },
  sla_breaches: { read: (figures) => figures.sla_breaches, write: countText },
  sla_compliance: { read: (figures) => figures.sla_compliance, write: percentText },
  escalation_rate: { read: (figures) => figures.escalation_rate, write: percentText },
  reopen_rate: { read: (figures) => figures.reopen_rate, write: percentText },
  one_touch_rate: { read: (figures) => figures.one_touch_rate, write: percentText },
};

/** The change from the preceding period. Values that look the same are unchanged: 'up from 88% to 88%' would be confusing. */
export function changeOf(
  current: number | null,
  previous: number | null,
  { write, better }: { write: (value: number) => string; better: 'more' | 'less' | null },
): FigureChange | undefined {
  if (previous === null) return current === null ? undefined : { arrow: '', text: 'No value before', tone: 'neutral' };
  if (current === null) return { arrow: '', text: `Was ${write(previous)}`, tone: 'neutral' };
  if (write(current) === write(previous)) return { arrow: '', text: 'Unchanged', tone: 'neutral' };
  const isMore = current > previous;
  const tone = better === null ? 'neutral' : (better === 'more') === isMore ? 'good' : 'bad';
  const verdict = { good: ', better', bad: ', worse', neutral: '' }[tone];
  return { arrow: isMore ? '▲' : '▼', text: `${isMore ? 'Up' : 'Down'} from ${write(previous)}${verdict}`, tone };
}

export const figuresOf = ({ figures, previous }: Pick<Analytics, 'figures' | 'previous'>): EmailFigure[] =>
  (Object.keys(metrics) as (keyof typeof metrics)[]).map((name) => {
    const { read, write, detail } = metrics[name];
    const { label, better } = metricDefinitions[name];
    const value = read(figures);
    const change = changeOf(value, read(previous.figures), { write, better });
    return { label: detail ? `${label} (${detail})` : label, value: value === null ? none : write(value), ...(change && { change }) };
  });

// ---- days -------------------------------------------------------------------------------------------------------

const utc = { timeZone: 'UTC' } as const;
const mediumDate = new Intl.DateTimeFormat('en-US', { ...utc, dateStyle: 'medium' });
const shortDay = new Intl.DateTimeFormat('en-US', { ...utc, weekday: 'short', month: 'short', day: 'numeric' });
/** 'Nov 9 – 15, 2026'. The days are already in the organization's time zone. */
export const periodText = ({ from, to }: Period): string =>
  mediumDate.formatRange(new Date(from), new Date(to)).replace(/[\u2009\u202f]/g, ' ');
const dayText = (day: string) => shortDay.format(new Date(day));

// ---- charts -----------------------------------------------------------------------------------------------------

const plural = (count: number, one: string, many: string) => `${number.format(count)} ${count === 1 ? one : many}`;
const shareOf = (count: number, longest: number) => (longest === 0 ? 0 : count / longest);

function perDayChart({ per_day }: Pick<Analytics, 'per_day'>): EmailChart {
  const heading = 'Created and resolved per day';
  const longest = Math.max(0, ...per_day.flatMap(({ created, resolved }) => [created, resolved]));
  if (longest === 0) return { heading, summary: 'No tickets were created or resolved.', series: ['Created', 'Resolved'], rows: [] };
  const created = per_day.reduce((sum, day) => sum + day.created, 0);
  const resolved = per_day.reduce((sum, day) => sum + day.resolved, 0);
  const busiest = per_day.reduce((most, day) => (day.created > most.created ? day : most));
  const onBusiest = busiest.created > 0 ? ` The busiest day was ${dayText(busiest.day)} with ${number.format(busiest.created)}.` : '';
  return {
    heading,
    summary: `${plural(created, 'ticket was', 'tickets were')} created and ${number.format(resolved)} resolved.${onBusiest}`,
    series: ['Created', 'Resolved'],
    rows: per_day.map((day) => ({
      label: dayText(day.day),
      bars: [day.created, day.resolved].map((count) => ({ share: shareOf(count, longest), value: number.format(count) })),
    })),
  };
}

const ranks: Record<TicketPriority, number> = { urgent: 0, high: 1, medium: 2, low: 3 };
/** Highest priority first. */
const ranked = ({ by_priority }: Pick<Analytics, 'by_priority'>) => by_priority.toSorted((a, b) => ranks[a.key] - ranks[b.key]);

function priorityChart(analytics: Pick<Analytics, 'by_priority'>): EmailChart {
  const heading = 'Tickets by priority';
  const priorities = ranked(analytics);
  const total = priorities.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return { heading, summary: 'No tickets were created.', series: ['Tickets'], rows: [] };
  const most = priorities.reduce((largest, each) => (each.count > largest.count ? each : largest));
  return {
    heading,
    summary: `The most frequent priority was ${priorityLabels[most.key].toLowerCase()}: ${number.format(most.count)} of ${plural(total, 'ticket', 'tickets')}.`,
    series: ['Tickets'],
    rows: priorities.map(({ key, count }) => ({
      label: priorityLabels[key],
      bars: [{ share: shareOf(count, most.count), value: number.format(count) }],
    })),
  };
}

function complianceChart(analytics: Pick<Analytics, 'by_priority' | 'figures'>): EmailChart {
  const heading = 'SLA compliance by priority';
  const series = ['On time', 'Missed'];
  const { total_tickets, sla_breaches, sla_compliance } = analytics.figures;
  if (sla_compliance === null) return { heading, summary: 'No tickets were created.', series, rows: [] };
  const missed = sla_breaches === 0 ? 'No ticket' : `${number.format(sla_breaches)} of ${plural(total_tickets, 'ticket', 'tickets')}`;
  return {
    heading,
    summary: `${missed} missed a due time: ${percentText(sla_compliance)} compliance.`,
    series,
    rows: ranked(analytics).map(({ key, count, breaches }) => ({
      label: priorityLabels[key],
      bars: [
        { share: shareOf(count - breaches, count), value: count === 0 ? none : percentText(((count - breaches) / count) * 100) },
        { share: shareOf(breaches, count), value: number.format(breaches) },
      ],
    })),
  };
}

export const chartsOf = (analytics: Analytics): EmailChart[] => [
  perDayChart(analytics),
  priorityChart(analytics),
  complianceChart(analytics),
];
