import type { TicketFilter } from '@tandem/contracts';
import { analyticsLimits, surveyFilters, ticketChannels } from '@tandem/contracts/values';
import { instant, oneOf, several, someOf, type Parser } from './filter-parsers';

const yesOrNo = ['true', 'false'] as const;
const ratings = ['1', '2', '3', '4', '5'] as const;
const weekdays = ['1', '2', '3', '4', '5', '6', '7'] as const;
const channels = [...ticketChannels, 'none'] as const;

const flag: Parser<(typeof yesOrNo)[number]> = (value) => oneOf(yesOrNo, value);
const hours: Parser<string> = (value) => (value !== null && /^\d{1,6}(\.\d{1,4})?$/.test(value) ? value : undefined);
const hourOfDay: Parser<string> = (value) => (value !== null && /^(\d|1\d|2[0-3])$/.test(value) ? value : undefined);

/** More of them than the server accepts would be another filter. */
const others: Parser<string[]> = (value) => {
  const values = several(value);
  return values.length <= analyticsLimits.keys ? values : undefined;
};

/** The filters behind the figures of the analytics page. Its links set them; a chip shows each (figure-chips.ts). */
export const figureParsers = {
  channel: (value: string | null) => someOf(channels, value),
  has_category: flag,
  other_category: others,
  other_tag: others,
  escalated: flag,
  breached: flag,
  breached_from: instant,
  breached_to: instant,
  reopened: flag,
  reopened_from: instant,
  reopened_to: instant,
  resolved_from: instant,
  resolved_to: instant,
  one_touch: flag,
  has_first_response_time: flag,
  first_response_hours_from: hours,
  first_response_hours_to: hours,
  has_resolution_time: flag,
  resolution_hours_from: hours,
  resolution_hours_to: hours,
  survey: (value: string | null) => oneOf(surveyFilters, value),
  rating: (value: string | null) => someOf(ratings, value),
  open_at: instant,
  created_weekday: (value: string | null) => oneOf(weekdays, value),
  created_hour: hourOfDay,
};
export type FigureFilter = keyof typeof figureParsers;
export type FigureFilters = { [Name in FigureFilter]?: NonNullable<TicketFilter[Name]> | undefined };
export const figureFilterNames = Object.keys(figureParsers) as FigureFilter[];
