import { metricLinks } from './metric-links';

const period = { from_time: '2026-10-22T22:00:00.000Z', to_time: '2026-11-21T23:00:00.000Z' };
const created = 'created_from=2026-10-22T22:00:00.000Z&created_to=2026-11-21T23:00:00.000Z';
const links = metricLinks({ period, timeZone: 'Europe/Berlin', filters: {} });
const narrowed = metricLinks({ period, timeZone: 'Europe/Berlin', filters: { priority: 'high', category: 'Orders & more', tag: 'vip' } });

it.each([
  ['total', links.figure('total_tickets'), created],
  ['open', links.figure('open_tickets'), `${created}&status=open,in_progress`],
  ['first response', links.figure('first_response'), `${created}&has_first_response_time=true`],
  ['resolution', links.figure('resolution'), `${created}&has_resolution_time=true`],
  ['satisfaction', links.figure('ratings'), `${created}&survey=answered`],
  ['surveys sent', links.figure('surveys_sent'), `${created}&survey=sent`],
  ['breaches', links.figure('sla_breaches'), `${created}&breached=true`],
  ['compliance', links.figure('sla_compliance'), `${created}&breached=false`],
  ['escalated', links.figure('escalated'), `${created}&escalated=true`],
  ['reopened', links.figure('reopened'), `${created}&reopened=true`],
  ['one touch', links.figure('one_touch'), `${created}&one_touch=true`],
  ['priority', links.priority('urgent'), `${created}&priority=urgent`],
  ['breaches of a priority', links.priority('urgent', 'sla_breaches'), `${created}&breached=true&priority=urgent`],
  ['status', links.status('closed'), `${created}&status=closed`],
  ['channel', links.channel('email'), `${created}&channel=email`],
  ['no channel', links.channel(null), `${created}&channel=none`],
  ['category', links.category('Orders'), `${created}&category=Orders`],
  ['no category', links.category(null), `${created}&has_category=false`],
  ['tag', links.tag('vip'), `${created}&tag=vip`],
  ['tag with a comma', links.tag('a, b'), `${created}&tag=a%5C,+b`],
  ['other categories', links.otherCategories(['Orders', null, 'a, b']), `${created}&other_category=Orders,a%5C,+b`],
  ['other tags', links.otherTags(['vip', 'a, b']), `${created}&other_tag=vip,a%5C,+b`],
  [
    'condition',
    links.condition('{"field":"custom_fields.plan","op":"is_empty"}'),
    `${created}&condition=%7B%22field%22:%22custom_fields.plan%22,%22op%22:%22is_empty%22%7D`,
  ],
  ['rating', links.rating(2), `${created}&rating=2`],
  [
    'first response of 1 to 4 hours',
    links.duration('first_response', { from_hours: 1, to_hours: 4 }),
    `${created}&first_response_hours_from=1&first_response_hours_to=4`,
  ],
  ['resolution over 72 hours', links.duration('resolution', { from_hours: 72, to_hours: null }), `${created}&resolution_hours_from=72`],
  ['member', links.member('u-1'), `${created}&assignee=u-1`],
  ['resolved by a member', links.member('u-1', 'resolution'), `${created}&has_resolution_time=true&assignee=u-1`],
  ['Monday at midnight', links.arrivals(0, 0), `${created}&created_weekday=1&created_hour=0`],
  ['Sunday at 23', links.arrivals(6, 23), `${created}&created_weekday=7&created_hour=23`],
  // 23 and 25 hours: the clocks change on these days.
  ['created on a day', links.day('2026-03-29', 'created'), 'created_from=2026-03-28T23:00:00.000Z&created_to=2026-03-29T22:00:00.000Z'],
  ['resolved on a day', links.day('2026-10-25', 'resolved'), 'resolved_from=2026-10-24T22:00:00.000Z&resolved_to=2026-10-25T23:00:00.000Z'],
  ['reopened on a day', links.day('2026-11-03', 'reopened'), 'reopened_from=2026-11-02T23:00:00.000Z&reopened_to=2026-11-03T23:00:00.000Z'],
  ['breached on a day', links.day('2026-11-03', 'breaches'), 'breached_from=2026-11-02T23:00:00.000Z&breached_to=2026-11-03T23:00:00.000Z'],
  ['backlog of a day', links.day('2026-11-03', 'backlog'), 'open_at=2026-11-03T23:00:00.000Z'],
  ['filtered total', narrowed.figure('total_tickets'), `${created}&priority=high&category=Orders+%26+more&tag=vip`],
  ['filtered bar', narrowed.status('open'), `${created}&priority=high&category=Orders+%26+more&tag=vip&status=open`],
  [
    'filtered day',
    narrowed.day('2026-11-03', 'backlog'),
    'priority=high&category=Orders+%26+more&tag=vip&open_at=2026-11-03T23:00:00.000Z',
  ],
])('links %s to its tickets', (_, link, query) => {
  expect(link).toBe(`/tickets?${query}`);
});

it('keeps a comma in the filter’s tag', () => {
  const tagged = metricLinks({ period, timeZone: 'Europe/Berlin', filters: { tag: 'a, b' } });
  expect(tagged.status('open')).toBe(`/tickets?${created}&tag=a%5C,+b&status=open`);
  expect(tagged.day('2026-11-03', 'backlog')).toBe('/tickets?tag=a%5C,+b&open_at=2026-11-03T23:00:00.000Z');
});

it('leaves out tags that the list cannot require together with the filter’s', () => {
  expect(narrowed.hasTag('vip')).toBe(true);
  expect(narrowed.hasTag('beans')).toBe(false);
  expect(links.hasTag('beans')).toBe(true);
});

it('leaves out priorities that the filter excludes', () => {
  expect(narrowed.hasPriority('high')).toBe(true);
  expect(narrowed.hasPriority('low')).toBe(false);
  expect(links.hasPriority('low')).toBe(true);
});
