import { figureChips } from './figure-chips';
import { rangeDays, rangeText } from './created-range';
import { filtersOf, paramsOf } from './ticket-filters';
import { viewFilterOf } from './views.api';

const chipsOf = (query: string, timeZone = 'Europe/Berlin') => figureChips(filtersOf(new URLSearchParams(query)), timeZone);
const texts = (query: string) => chipsOf(query).map(({ name, value }) => `${name}: ${value}`);

it.each([
  ['channel=email,none', ['Channel: Email', 'Channel: Unknown']],
  ['has_category=false', ['Category: None']],
  ['other_category=Billing,a%5C, b', ['Category: Other than Billing or a, b']],
  ['other_tag=a,b,c,d', ['Tag: Other than 4 listed ones']],
  ['escalated=true', ['Escalated: Yes']],
  ['breached=false', ['SLA: Not breached']],
  ['reopened=true', ['Reopened: Yes']],
  ['one_touch=true', ['Resolved with one reply: Yes']],
  ['has_first_response_time=true', ['First response: Sent']],
  ['first_response_hours_from=24', ['First response: 24h or more']],
  ['first_response_hours_from=0&first_response_hours_to=0.25', ['First response: under 15m']],
  ['has_resolution_time=true', ['Resolution: Resolved']],
  ['resolution_hours_from=1&resolution_hours_to=4', ['Resolution: 1h to 4h']],
  ['survey=answered', ['Survey: Answered']],
  ['rating=4,5', ['Rating: 4 Good', 'Rating: 5 Excellent']],
  ['created_weekday=1&created_hour=9', ['Weekday: Monday', 'Hour: 9 AM to 10 AM']],
  // A day in Berlin; the reader may be elsewhere.
  ['resolved_from=2026-11-02T23:00:00.000Z&resolved_to=2026-11-03T23:00:00.000Z', ['Resolved: Nov 3, 2026']],
  ['breached_from=2026-11-03', ['SLA breached: since Nov 3, 2026']],
  ['reopened_to=2026-11-03', ['Reopened: until Nov 2, 2026']],
  ['open_at=2026-11-03T23:00:00.000Z', ['Open: at the end of Nov 3, 2026']],
])('shows %s as a chip', (query, expected) => {
  expect(texts(query)).toEqual(expected);
});

it('treats invalid values as all', () => {
  const query =
    'channel=fax&escalated=yes&rating=6&created_weekday=8&created_hour=24&first_response_hours_from=-1&open_at=soon&survey=lost&breached_from=x';
  expect(filtersOf(new URLSearchParams(query))).toEqual({});
});

it('removes both ends of a range, or one of several values', () => {
  const [channel, , range] = chipsOf('channel=email,api&resolution_hours_from=1&resolution_hours_to=4');
  expect(channel?.without).toEqual({ channel: ['api'] });
  expect(range?.without).toEqual({ resolution_hours_from: undefined, resolution_hours_to: undefined });
});

it('shows the created range as days of the organization', () => {
  const filters = { created_from: '2020-10-22T22:00:00.000Z', created_to: '2020-11-21T23:00:00.000Z' };
  expect(rangeText(filters, 'Europe/Berlin')).toBe('Oct 23, 2020 to Nov 21, 2020');
  expect(rangeDays(filters, 'Europe/Berlin')).toEqual({ from: '2020-10-23', to: '2020-11-21' });
});

it('writes the filters of figures into the URL, and stores none of them in a view', () => {
  const query = 'priority=high&channel=email&created_hour=9';
  const filters = filtersOf(new URLSearchParams(query));
  expect(paramsOf(filters).toString()).toBe(query);
  expect(viewFilterOf(filters)).toEqual({ priority: ['high'] });
});
