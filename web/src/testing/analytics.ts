import type { Analytics, Report } from '@tandem/contracts';
import { anId } from './backend';

const noFigures: Analytics['figures'] = {
  total_tickets: 0,
  open_tickets: 0,
  responded_tickets: 0,
  avg_first_response_hours: null,
  median_first_response_hours: null,
  p90_first_response_hours: null,
  resolved_tickets: 0,
  avg_resolution_hours: null,
  median_resolution_hours: null,
  p90_resolution_hours: null,
  surveys_sent: 0,
  ratings: 0,
  avg_satisfaction: null,
  satisfaction_distribution: [0, 0, 0, 0, 0],
  survey_response_rate: null,
  sla_breaches: 0,
  sla_compliance: null,
  escalated_tickets: 0,
  escalation_rate: null,
  reopened_tickets: 0,
  reopen_rate: null,
  one_touch_tickets: 0,
  one_touch_rate: null,
};
const figures: Analytics['figures'] = {
  ...noFigures,
  total_tickets: 120,
  open_tickets: 18,
  responded_tickets: 110,
  avg_first_response_hours: 3.1,
  median_first_response_hours: 1.5,
  p90_first_response_hours: 9,
  resolved_tickets: 90,
  avg_resolution_hours: 20,
  median_resolution_hours: 12,
  p90_resolution_hours: 44,
  surveys_sent: 90,
  ratings: 30,
  avg_satisfaction: 4.2,
  satisfaction_distribution: [1, 2, 4, 6, 17],
  survey_response_rate: 33.3,
  sla_breaches: 6,
  sla_compliance: 95,
};

/** The figures of two days in November 2026, in Berlin. */
export const someAnalytics = (changes: Partial<Analytics> = {}): Analytics => ({
  period: { from: '2026-11-20', to: '2026-11-21', from_time: '2026-11-19T23:00:00.000Z', to_time: '2026-11-21T23:00:00.000Z' },
  time_zone: 'Europe/Berlin',
  computed_live: false,
  is_rebuilding: false,
  has_tickets: true,
  figures,
  previous: {
    period: { from: '2026-11-18', to: '2026-11-19', from_time: '2026-11-17T23:00:00.000Z', to_time: '2026-11-19T23:00:00.000Z' },
    figures: { ...figures, total_tickets: 100, median_first_response_hours: 3, avg_satisfaction: 4.4 },
  },
  per_day: [
    { day: '2026-11-20', created: 70, resolved: 50, reopened: 1, backlog: 40, breaches: 4 },
    { day: '2026-11-21', created: 50, resolved: 40, reopened: 0, backlog: 50, breaches: 2 },
  ],
  figures_per_day: {
    total_tickets: [70, 50],
    open_tickets: [8, 10],
    median_first_response_hours: [1.2, 1.9],
    median_resolution_hours: [14, 11],
    avg_satisfaction: [4.2, null],
    sla_breaches: [4, 2],
    sla_compliance: [94.29, 96],
    escalation_rate: [0, 0],
    reopen_rate: [0, 0],
    one_touch_rate: [0, 0],
  },
  first_response_histogram: [
    { from_hours: 0, to_hours: 1, count: 40 },
    { from_hours: 1, to_hours: null, count: 70 },
  ],
  resolution_histogram: [
    { from_hours: 0, to_hours: 24, count: 60 },
    { from_hours: 24, to_hours: null, count: 30 },
  ],
  by_priority: [
    { key: 'urgent', count: 20, breaches: 4 },
    { key: 'high', count: 100, breaches: 2 },
  ],
  by_status: [
    { key: 'open', count: 18 },
    { key: 'resolved', count: 102 },
  ],
  by_channel: [
    { key: 'email', count: 100 },
    { key: null, count: 20 },
  ],
  by_category: {
    items: [
      { key: 'Orders', count: 80 },
      { key: null, count: 30 },
    ],
    rest: 10,
  },
  by_tag: { items: [{ key: 'vip', count: 12 }], rest: 0 },
  team: [],
  arrivals: Array.from({ length: 7 }, (_, weekday) => Array.from({ length: 24 }, (_hour, hour) => (weekday === 0 && hour === 9 ? 14 : 0))),
  feedback: [],
  version: '1',
  ...changes,
});

export const emptyFigures = noFigures;

export const aReport = (changes: Partial<Report> = {}): Report => ({
  id: anId(),
  frequency: 'weekly',
  recipient_ids: [],
  time_zone: null,
  version: 1,
  created_by: anId(),
  created_at: '2026-11-20T10:05:00.000Z',
  next_at: '2026-11-23T07:00:00.000Z',
  last_sent_at: null,
  ...changes,
});
