import { randomUUID } from 'node:crypto';
import type { Presence } from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import { createLogger } from '@tandem/platform';
import { startFlakyProxy, eventually, testEnv } from '@tandem/testing';
import { PresenceStore } from './presence';

type Env = { REDIS_URL: string; REDIS_PREFIX: string };

describe('presence at a ticket', () => {
  let env: Env;
  const boards: PresenceStore[] = [];
  const open = async (times?: { markMs: number; publishMs: number }, over: Partial<Env> = {}) => {
    const board = new PresenceStore({ ...env, ...over }, createLogger('test', 'fatal'), times);
    boards.push(board);
    await board.onApplicationBootstrap();
    return board;
  };
  beforeAll(async () => {
    env = (await testEnv({ TICKETS_DATABASE_URL: 'none' })) as Env;
  });
  afterEach(() => {
    for (const board of boards.splice(0)) board.onApplicationShutdown();
  });
  const somebody = (
    place: { organization_id: string; ticket_id: string } = { organization_id: randomUUID(), ticket_id: randomUUID() },
  ) => ({
    ...place,
    user_id: randomUUID(),
  });
  /** Collects the messages about a ticket from now on; waits until the subscription is connected. */
  const heardBy = async (board: PresenceStore, { organization_id, ticket_id }: { organization_id: string; ticket_id: string }) => {
    const heard: Presence[][] = [];
    let connected = false;
    board.subscribe(organization_id, (told) => {
      if (told.ticket_id === ticket_id) heard.push(told.people);
      else connected = true;
    });
    await eventually(async () => {
      await board.mark(somebody({ organization_id, ticket_id: randomUUID() }), 'viewing', 'a');
      expect(connected).toBe(true);
    });
    return heard;
  };

  it('drops people who stop renewing, and publishes that with the next renewal of another person', async () => {
    const board = await open({ markMs: 1_000, publishMs: 10 });
    const gone = somebody();
    const stays = somebody(gone);
    const heard = await heardBy(board, gone);
    const renewed = () => board.mark(stays, 'viewing', 'a');
    // Marks expire after one second here: on a busy machine the first may expire before the second is set.
    await eventually(async () => {
      await board.mark(gone, 'writing', 'a');
      expect(await renewed()).toHaveLength(2);
    });
    await eventually(async () => expect(await renewed()).toEqual([{ user_id: stays.user_id, state: 'viewing' }]));
    await eventually(() => expect(heard.at(-1)).toEqual([{ user_id: stays.user_id, state: 'viewing' }]));
    // All people have left: no Redis key remains.
    const redis = connectRedis(env.REDIS_URL);
    await eventually(async () =>
      expect(await redis.keys(`${env.REDIS_PREFIX}:presence:${gone.organization_id}:${gone.ticket_id}*`)).toEqual([]),
    );
    redis.disconnect();
  });

  it('counts a person with several open pages once, writing before viewing, until the last page is closed', async () => {
    const board = await open();
    const who = somebody();
    await board.mark(who, 'writing', 'a');
    expect(await board.mark(who, 'viewing', 'b')).toEqual([{ user_id: who.user_id, state: 'writing' }]);
    expect(await board.mark(who, 'writing_note', 'b')).toEqual([{ user_id: who.user_id, state: 'writing' }]);
    expect(await board.mark(who, 'viewing', 'a')).toEqual([{ user_id: who.user_id, state: 'writing_note' }]);
    expect(await board.mark(who, 'left', 'b')).toEqual([{ user_id: who.user_id, state: 'viewing' }]);
    expect(await board.mark(who, 'left', 'a')).toEqual([]);
  });

  it("publishes a person's changes at most once per interval, and always the last one", async () => {
    const board = await open({ markMs: 45_000, publishMs: 300 });
    const who = somebody();
    const heard = await heardBy(board, who);
    const begun = Date.now();
    for (let i = 0; i < 50; i += 1) await board.mark(who, i % 2 ? 'viewing' : 'writing', 'a');
    await board.mark(who, 'left', 'a');
    const tookMs = Date.now() - begun;
    await eventually(() => expect(heard.at(-1)).toEqual([]));
    expect(heard.length).toBeLessThanOrEqual(2 + Math.ceil(tookMs / 300));
  });

  it('publishes nothing if nothing has changed', async () => {
    const board = await open({ markMs: 45_000, publishMs: 1 });
    const who = somebody();
    const heard = await heardBy(board, who);
    for (let i = 0; i < 5; i += 1) await board.mark(who, 'viewing', 'a');
    await board.mark(who, 'left', 'a');
    await eventually(() => expect(heard.at(-1)).toEqual([]));
    expect(heard).toHaveLength(2);
  });

  it('limits the entries per person and per ticket', async () => {
    const board = await open();
    const who = somebody();
    for (let i = 0; i < 30; i += 1) await board.mark(who, 'viewing', `visit-${i}`);
    const redis = connectRedis(env.REDIS_URL);
    const key = `${env.REDIS_PREFIX}:presence:${who.organization_id}:${who.ticket_id}`;
    expect(await redis.hlen(key)).toBe(10);
    for (let i = 0; i < 250; i += 1) await board.mark(somebody(who), 'viewing', 'a');
    expect(await redis.hlen(key)).toBe(200);
    redis.disconnect();
  });

  it('is empty while Redis is down, and works again afterwards', async () => {
    const proxy = await startFlakyProxy(env.REDIS_URL);
    const board = await open(undefined, { REDIS_URL: proxy.url });
    const who = somebody();
    expect(await board.mark(who, 'viewing', 'a')).toHaveLength(1);
    proxy.cut();
    expect(await board.mark(who, 'viewing', 'a')).toEqual([]);
    proxy.restore();
    await eventually(async () => expect(await board.mark(who, 'viewing', 'a')).toHaveLength(1));
    await heardBy(board, who);
    await proxy.close();
  });
});
