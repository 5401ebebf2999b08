import type { Ticket } from '@tandem/contracts';
import type { RunningService } from '@tandem/platform';
import { startFlakyProxy, eventually } from '@tandem/testing';
import { Browser, EventReader } from './client';
import { anIpAddress, codeOf, startTestApp, type OwnerSession, type TestApp } from './test-app';
import { colleague, copyOf, type Colleague } from './team';

interface PresenceEvent {
  ticket_id: string;
  people: { user_id: string; state: string }[];
}
const presenceIn = (reader: EventReader): PresenceEvent[] =>
  reader.raw
    .filter((block) => block.startsWith('event: presence'))
    .map((block) => JSON.parse(block.split('\ndata: ')[1]!) as PresenceEvent);

describe('presence on a ticket', () => {
  let app: TestApp;
  let ada: OwnerSession;
  let marek: Colleague;
  let stranger: OwnerSession;
  let second: RunningService;
  let ticket: Ticket;
  beforeAll(async () => {
    app = await startTestApp();
    [ada, stranger, second] = await Promise.all([app.signUpOwner(), app.signUpOwner(), app.secondGateway()]);
    marek = await colleague(app, ada, 'agent');
    ticket = await app.ticket(ada.browser);
  });
  const at = (gateway: RunningService, browser: Browser) =>
    copyOf(browser, new Browser(gateway.url, browser.host, { 'x-forwarded-for': anIpAddress() }));
  const mark = (browser: Browser, body: unknown, id = ticket.id) =>
    browser.send<PresenceEvent['people']>('PUT', `/tickets/${id}/presence`, { body });
  const me = () => ada.session.profile.user_id;

  it('is visible to colleagues on every replica, but not to other organizations', async () => {
    const there = at(second, marek.browser);
    const [reader, foreign] = [await EventReader.open(there), await EventReader.open(at(second, stranger.browser))];
    await eventually(() => expect([reader.raw.length, foreign.raw.length].every((length) => length > 0)).toBe(true));

    expect([(await mark(there, { state: 'viewing', visit: 'b' })).data]).toEqual([[]]);
    const answer = await mark(ada.browser, { state: 'writing', visit: 'a' });
    expect([answer.status, answer.data]).toEqual([200, [{ user_id: marek.user_id, state: 'viewing' }]]);
    await eventually(() =>
      expect(presenceIn(reader).at(-1)).toEqual({
        ticket_id: ticket.id,
        people: expect.arrayContaining([
          { user_id: me(), state: 'writing' },
          { user_id: marek.user_id, state: 'viewing' },
        ]) as unknown,
      }),
    );
    expect((await mark(there, { state: 'viewing', visit: 'b' })).data).toEqual([{ user_id: me(), state: 'writing' }]);

    // For another organization the ticket does not exist.
    expect(codeOf(await mark(stranger.browser, { state: 'viewing' }))).toBe('404 ticket.not_found');
    expect((await mark(ada.browser, { state: 'left', visit: 'a' })).data).toEqual([{ user_id: marek.user_id, state: 'viewing' }]);
    await eventually(() => expect(presenceIn(reader).at(-1)?.people).toEqual([{ user_id: marek.user_id, state: 'viewing' }]));
    const strangerId = stranger.session.profile.user_id;
    expect(presenceIn(reader).flatMap(({ people }) => people.map(({ user_id }) => user_id))).not.toContain(strangerId);
    expect(presenceIn(foreign)).toEqual([]);
    for (const each of [reader, foreign]) each.close();
  });

  it.each([
    ['state', { state: 'asleep' }],
    ['state', {}],
    ['visit', { state: 'viewing', visit: 'a b' }],
    ['visit', { state: 'viewing', visit: 'x'.repeat(37) }],
    ['user_id', { state: 'viewing', user_id: '01980000-0000-7000-8000-000000000000' }],
  ])('rejects an invalid %s', async (field, body) => {
    const answer = await mark(ada.browser, body);
    expect([answer.status, answer.body.errors?.map(({ path }) => path)]).toEqual([422, [field]]);
  });

  it('requires a session of an organization and a CSRF token', async () => {
    expect(codeOf(await mark(app.browser(), { state: 'viewing' }))).toBe('401 session.required');
    expect(codeOf(await mark(app.as(null, null), { state: 'viewing' }))).toBe('403 organization.required');
    expect(codeOf(await ada.browser.send('PUT', `/tickets/${ticket.id}/presence`, { body: { state: 'viewing' }, csrf: null }))).toBe(
      '403 csrf.failed',
    );
    expect((await mark(ada.browser, { state: 'viewing' }, 'no-id')).status).toBe(422);
  });

  it('is unavailable without Redis, while tickets and events still work', async () => {
    const proxy = await startFlakyProxy(app.env['REDIS_URL']!);
    const alone = await app.secondGateway({ REDIS_URL: proxy.url });
    proxy.cut();
    const there = at(alone, ada.browser);
    expect((await there.get(`/tickets/${ticket.id}`)).status).toBe(200);
    // Like every write: rejected while it cannot be counted.
    expect(codeOf(await mark(there, { state: 'viewing' }))).toBe('503 service.unavailable');
    const reader = await EventReader.open(there);
    // A new gateway misses events until its subscription is active.
    await eventually(async () => {
      await app.ticket(ada.browser);
      await eventually(() => expect(reader.events.map(({ type }) => type)).toContain('ticket.created'), { timeoutMs: 1_000 });
    });
    reader.close();
    await alone.close();
    await proxy.close();
  });
});
