import * as z from 'zod';
import { requiredText } from './scalars';
import { slaLimits, weekdays } from './values/sla';

/** A period of business hours on one weekday, in the organization's time zone: `09:00` to `17:30`; `24:00` is the end of the day. */
export const BusinessSpan = z
  .strictObject({
    day: z.enum(weekdays),
    from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time like 09:00'),
    to: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter a time like 17:30'),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], message: 'Must be after the start' });
export type BusinessSpan = z.infer<typeof BusinessSpan>;
/** In any order; spans of one day must not overlap. */
export const BusinessHours = z
  .array(BusinessSpan)
  .min(1, 'Choose at least one day')
  .max(slaLimits.spans)
  .refine(
    (spans) => !spans.some((a, i) => spans.some((b, j) => i < j && a.day === b.day && a.from < b.to && b.from < a.to)),
    'Hours of one day overlap',
  );
export type BusinessHours = z.infer<typeof BusinessHours>;
/** A day without business hours, in the organization's time zone. */
export const Holiday = z.strictObject({ date: z.iso.date('Enter a date'), name: requiredText(100, 'Give the holiday a name') });
export type Holiday = z.infer<typeof Holiday>;
/** `Area/Place`: offsets and abbreviations do not include daylight saving time. */
const zoneName = /^[A-Z][A-Za-z_]+(\/[A-Za-z0-9_+-]+)+$/;

/** `Intl.supportedValuesOf` lists only one name per zone, and browsers differ in which one, so every name that Intl accepts is valid. */
function isTimeZone(zone: string): boolean {
  if (zone !== 'UTC' && !zoneName.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }) !== undefined;
  } catch {
    return false;
  }
}
export const TimeZone = z.string().max(60).refine(isTimeZone, 'Choose a time zone from the list');
