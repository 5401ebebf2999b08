import { organizationUpdated } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { createLogger } from '@tandem/platform';
import { startFlakyProxy, eventually, organizationOf, staff, testServers } from '@tandem/testing';
import { emit, LiveEvents, type LiveEvent } from '..';
import { noteCreated, startNotes } from '../../test/notes';
import { Nats, type NatsOptions } from './nats';

const agent = staff('agent');
const organization = organizationOf(agent.organization_id);

it('live events reach the listeners of their organization without their data, including after an outage of NATS', async () => {
  const notes = await startNotes({ RUN: 'http,events' });
  const proxy = await startFlakyProxy(testServers().natsUrl);
  const live = new LiveEvents({
    NATS_URL: proxy.url,
    NATS_STREAM: notes.env['NATS_STREAM']!,
    EVENTS_PREFIX: notes.env['EVENTS_PREFIX']!,
    LOG_LEVEL: 'fatal',
  });
  live.start();
  const received: LiveEvent[] = [];
  const foreign: LiveEvent[] = [];
  const stop = live.subscribe(agent.organization_id, (event) => received.push(event));
  live.subscribe(newId(), (event) => foreign.push(event));
  const announce = (subject: string) => notes.db.forTenant(agent, (tx) => emit(tx, agent, organizationUpdated, subject, { organization }));

  const first = newId();
  await eventually(() => live.check());
  await eventually(async () => {
    await announce(first);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(received.length).toBeGreaterThan(0);
  });
  expect(received[0]).toEqual({
    type: 'organization.updated',
    subject: first,
    sequence: expect.any(Number) as number,
    id: expect.any(String) as string,
  });

  proxy.cut();
  // NATS removes the consumer of a process that is away for long.
  const nats = new Nats(notes.env as unknown as NatsOptions, 'test', createLogger('test', 'fatal'));
  const { jsm } = await nats.connected();
  for await (const { name, config } of jsm.consumers.list(nats.stream))
    if (!config.durable_name) await jsm.consumers.delete(nats.stream, name);
  const { last_seq } = (await jsm.streams.info(nats.stream)).state;
  const missed = newId();
  await announce(missed);
  await eventually(async () => expect((await jsm.streams.info(nats.stream)).state.last_seq).toBeGreaterThan(last_seq));
  await nats.close();
  proxy.restore();
  await eventually(() => expect(received.map(({ subject }) => subject)).toContain(missed));

  await notes.db.forTenant(agent, (tx) => emit(tx, agent, noteCreated, newId(), { text: 'not live' }));
  stop();
  const before = received.length;
  await announce(newId());
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(received).toHaveLength(before);
  expect(received.map(({ type }) => type)).not.toContain('note.created');
  expect(foreign).toEqual([]);
  await live.close();
  await live.close();
  await notes.close();
  await proxy.close();
});

describe('listeners of live events', () => {
  let notes: Awaited<ReturnType<typeof startNotes>>;
  let live: LiveEvents;
  beforeAll(async () => {
    notes = await startNotes({ RUN: 'http,events' });
    const { NATS_STREAM, EVENTS_PREFIX } = notes.env as Record<string, string>;
    const NATS_URL = testServers().natsUrl;
    live = new LiveEvents({ NATS_URL, NATS_STREAM: NATS_STREAM!, EVENTS_PREFIX: EVENTS_PREFIX!, LOG_LEVEL: 'fatal' });
    live.start();
    live.start();
    const connected = jest.fn();
    const stop = live.subscribe(agent.organization_id, connected);
    await eventually(async () => {
      await announce();
      expect(connected).toHaveBeenCalled();
    });
    stop();
  });
  afterAll(async () => {
    await live.onApplicationShutdown();
    await notes.close();
  });
  const announce = (subject = newId(), ctx = agent) =>
    notes.db.forTenant(ctx, (tx) => emit(tx, ctx, organizationUpdated, subject, { organization }));

  it('all receive an event, with its data and its actor to decide on', async () => {
    const listeners = [jest.fn(), jest.fn()];
    const stops = listeners.map((listener) => live.subscribe(agent.organization_id, listener));
    const subject = newId();
    await announce(subject);
    for (const listener of listeners)
      await eventually(() =>
        expect(listener).toHaveBeenCalledWith(
          expect.objectContaining({ type: 'organization.updated', subject }),
          { organization },
          agent.actor,
        ),
      );
    for (const stop of stops) stop();
  });

  it('are independent: the others continue when one unsubscribes, even twice', async () => {
    const [gone, stays] = [jest.fn(), jest.fn()];
    const stop = live.subscribe(agent.organization_id, gone);
    const stopOther = live.subscribe(agent.organization_id, stays);
    stop();
    stop();
    const subject = newId();
    await announce(subject);
    await eventually(() => expect(stays).toHaveBeenCalledWith(expect.objectContaining({ subject }), expect.anything(), expect.anything()));
    expect(gone).not.toHaveBeenCalled();
    stopOther();
  });

  it('that come late receive the latest events of their organization, and no older ones', async () => {
    const [earlier, later] = [newId(), newId()];
    const seen = jest.fn();
    const stop = live.subscribe(agent.organization_id, seen);
    await announce(earlier);
    await eventually(() =>
      expect(seen).toHaveBeenCalledWith(expect.objectContaining({ subject: earlier }), expect.anything(), agent.actor),
    );
    const between = performance.now();
    await announce(later);
    await eventually(() => expect(seen).toHaveBeenCalledWith(expect.objectContaining({ subject: later }), expect.anything(), agent.actor));
    const subjectsSince = (organization_id: string, sinceMs?: number) => {
      const subjects: string[] = [];
      live.subscribe(organization_id, ({ subject }) => subjects.push(subject), sinceMs)();
      return subjects.filter((subject) => subject === earlier || subject === later);
    };
    expect(subjectsSince(agent.organization_id, 15_000)).toEqual([earlier, later]);
    expect(subjectsSince(agent.organization_id, performance.now() - between)).toEqual([later]);
    expect(subjectsSince(agent.organization_id)).toEqual([]);
    expect(subjectsSince(newId(), 15_000)).toEqual([]);
    stop();
  });

  it('receive the events of a subject in order', async () => {
    const sequences: number[] = [];
    const subject = newId();
    const stop = live.subscribe(agent.organization_id, (event) => event.subject === subject && sequences.push(event.sequence));
    for (let i = 0; i < 10; i++) await announce(subject);
    await eventually(() => expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    stop();
  });
});
