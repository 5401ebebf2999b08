import { inputValue, snoozeChoices } from './snooze-times';

const at = (...parts: [day: number, hour: number, minute: number]) => new Date(2026, 10, ...parts);
const choices = (now: Date) => snoozeChoices(now).map(({ label, until }) => `${label} ${inputValue(until)}`);

it.each([
  // Nov 25, 2026 is a Wednesday.
  [at(25, 9, 20), ['Later today 2026-11-25T13:00', 'Tomorrow 2026-11-26T08:00', 'Next week 2026-11-30T08:00']],
  [at(25, 9, 0), ['Later today 2026-11-25T12:00', 'Tomorrow 2026-11-26T08:00', 'Next week 2026-11-30T08:00']],
  [at(25, 21, 30), ['Tomorrow 2026-11-26T08:00', 'Next week 2026-11-30T08:00']],
  [at(29, 10, 0), ['Later today 2026-11-29T13:00', 'Tomorrow 2026-11-30T08:00']],
  [at(30, 10, 0), ['Later today 2026-11-30T13:00', 'Tomorrow 2026-12-01T08:00', 'Next week 2026-12-07T08:00']],
])('the choices at %s are in the future and distinct', (now, expected) => expect(choices(now)).toEqual(expected));
