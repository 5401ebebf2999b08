import { randomUUID } from 'node:crypto';
import type { Presence } from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { startFlakyProxy, eventually, testEnv } from '@tandem/testing';
import { PresenceStore } from './presence';

type Env = { REDIS_URL: string; REDIS_PREFIX: string };

describe('presence at a ticket', () => {
  let env: Env;
  const stores: PresenceStore[] = [];
  const open = async (times?: { markMs: number; publishMs: number }, over: Partial<Env> = {}) => {
    const store = new PresenceStore({ ...env, ...over }, createLogger('test', 'fatal'), times);
    stores.push(store);
    await store.onApplicationBootstrap();
    return store;
  };
  beforeAll(async () => {
    env = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Env;
  });
  afterEach(() => {
    for (const store of stores.splice(0)) store.onApplicationShutdown();
  });
  const aViewer = (place: { organization_id: string; ticket_id: string } = { organization_id: randomUUID(), ticket_id: randomUUID() }) => ({
    ...place,
    user_id: randomUUID(),
  });
  /** Collects the messages about a ticket from now on; waits until the subscription is connected. */
  const receivedBy = async (store: PresenceStore, { organization_id, ticket_id }: { organization_id: string; ticket_id: string }) => {
    const received: Presence[][] = [];
    let connected = false;
    store.subscribe(organization_id, (message) => {
      if (message.ticket_id === ticket_id) received.push(message.people);
      else connected = true;
    });
    await eventually(async () => {
      await store.mark(aViewer({ organization_id, ticket_id: randomUUID() }), 'viewing', 'a');
      expect(connected).toBe(true);
    });
    return received;
  };

  it('drops people who stop renewing, and publishes that with the next renewal of another person', async () => {
    const store = await open({ markMs: 1_000, publishMs: 10 });
    const gone = aViewer();
    const stays = aViewer(gone);
    const received = await receivedBy(store, gone);
    const renewed = () => store.mark(stays, 'viewing', 'a');
    // Marks expire after one second here: on a busy machine the first may expire before the second is set.
    await eventually(async () => {
      await store.mark(gone, 'writing', 'a');
      expect(await renewed()).toHaveLength(2);
    });
    await eventually(async () => expect(await renewed()).toEqual([{ user_id: stays.user_id, state: 'viewing' }]));
    await eventually(() => expect(received.at(-1)).toEqual([{ user_id: stays.user_id, state: 'viewing' }]));
    // All people have left: no Redis key remains.
    const redis = connectRedis(env.REDIS_URL);
    await eventually(async () =>
      expect(await redis.keys(`${env.REDIS_PREFIX}:presence:${gone.organization_id}:${gone.ticket_id}*`)).toEqual([]),
    );
    redis.disconnect();
  });

  it('counts a person with several open pages once, writing before viewing, until the last page is closed', async () => {
    const store = await open();
    const who = aViewer();
    await store.mark(who, 'writing', 'a');
    expect(await store.mark(who, 'viewing', 'b')).toEqual([{ user_id: who.user_id, state: 'writing' }]);
    expect(await store.mark(who, 'writing_note', 'b')).toEqual([{ user_id: who.user_id, state: 'writing' }]);
    expect(await store.mark(who, 'viewing', 'a')).toEqual([{ user_id: who.user_id, state: 'writing_note' }]);
    expect(await store.mark(who, 'left', 'b')).toEqual([{ user_id: who.user_id, state: 'viewing' }]);
    expect(await store.mark(who, 'left', 'a')).toEqual([]);
  });

  it("publishes a person's changes at most once per interval, and always the last one", async () => {
    const store = await open({ markMs: 45_000, publishMs: 300 });
    const who = aViewer();
    const received = await receivedBy(store, who);
    const begun = Date.now();
    for (let i = 0; i < 50; i += 1) await store.mark(who, i % 2 ? 'viewing' : 'writing', 'a');
    await store.mark(who, 'left', 'a');
    const tookMs = Date.now() - begun;
    await eventually(() => expect(received.at(-1)).toEqual([]));
    expect(received.length).toBeLessThanOrEqual(2 + Math.ceil(tookMs / 300));
  });

  it('publishes nothing if nothing has changed', async () => {
    const store = await open({ markMs: 45_000, publishMs: 1 });
    const who = aViewer();
    const received = await receivedBy(store, who);
    for (let i = 0; i < 5; i += 1) await store.mark(who, 'viewing', 'a');
    await store.mark(who, 'left', 'a');
    await eventually(() => expect(received.at(-1)).toEqual([]));
    expect(received).toHaveLength(2);
  });

  it('limits the entries per person and per ticket', async () => {
    const store = await open();
    const who = aViewer();
    for (let i = 0; i < 30; i += 1) await store.mark(who, 'viewing', `visit-${i}`);
    const redis = connectRedis(env.REDIS_URL);
    const key = `${env.REDIS_PREFIX}:presence:${who.organization_id}:${who.ticket_id}`;
    expect(await redis.hlen(key)).toBe(10);
    for (let i = 0; i < 250; i += 1) await store.mark(aViewer(who), 'viewing', 'a');
    expect(await redis.hlen(key)).toBe(200);
    redis.disconnect();
  });

  it('is empty while Redis is down, and works again afterwards', async () => {
    const proxy = await startFlakyProxy(env.REDIS_URL);
    const store = await open(undefined, { REDIS_URL: proxy.url });
    const who = aViewer();
    expect(await store.mark(who, 'viewing', 'a')).toHaveLength(1);
    proxy.cut();
    expect(await store.mark(who, 'viewing', 'a')).toEqual([]);
    proxy.restore();
    await eventually(async () => expect(await store.mark(who, 'viewing', 'a')).toHaveLength(1));
    await receivedBy(store, who);
    await proxy.close();
  });
});
