import { accessChanged } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { startFlakyProxy, eventually, staff, testServers } from '@tandem/testing';
import { createLogger } from '@tandem/platform';
import { AccessChanges, emit, Nats, type AccessChange } from '..';
import { startNotes } from '../../test/notes';

const admin = staff('admin');
type Notes = Awaited<ReturnType<typeof startNotes>>;

const listenTo = (notes: Notes, NATS_URL: string, retentionMs?: number) => {
  const changes = new AccessChanges(
    { NATS_URL, NATS_STREAM: notes.env['NATS_STREAM']!, EVENTS_PREFIX: notes.env['EVENTS_PREFIX']!, LOG_LEVEL: 'fatal' },
    undefined,
    retentionMs,
  );
  changes.start();
  return changes;
};
const announce = (notes: Notes, user_id: string, access_version: number) =>
  notes.db.forTenant(admin, (tx) => emit(tx, admin, accessChanged, user_id, { user_id, access_version }));

describe('changes of access', () => {
  let notes: Notes;
  beforeAll(async () => {
    notes = await startNotes({ RUN: 'http,events' });
  });
  afterAll(() => notes?.close());

  it('supersede lower versions of that user only', async () => {
    const changes = listenTo(notes, testServers().natsUrl);
    const received: AccessChange[] = [];
    const stop = changes.onChange((change) => received.push(change));
    await changes.caughtUp();
    const user_id = newId();
    await announce(notes, user_id, 4);
    await eventually(() => expect(received).toContainEqual({ user_id, access_version: 4 }));
    expect([3, 4, 5].map((version) => changes.isSuperseded(user_id, version))).toEqual([true, false, false]);
    expect(changes.isSuperseded(newId(), 1)).toBe(false);
    stop();
    await announce(notes, user_id, 5);
    await eventually(() => expect(changes.isSuperseded(user_id, 4)).toBe(true));
    expect(received.filter((change) => change.user_id === user_id)).toHaveLength(1);
    await changes.close();
    await changes.close();
  });

  it('from before the start are known once it has caught up, the latest of each user', async () => {
    const people = Array.from({ length: 300 }, () => newId());
    await notes.db.forTenant(admin, async (tx) => {
      for (const user_id of people)
        for (const access_version of [2, 3]) await emit(tx, admin, accessChanged, user_id, { user_id, access_version });
    });
    const first = listenTo(notes, testServers().natsUrl);
    await eventually(() => expect(people.every((user_id) => first.isSuperseded(user_id, 2))).toBe(true));
    const late = listenTo(notes, testServers().natsUrl);
    await late.caughtUp();
    expect(people.filter((user_id) => !late.isSuperseded(user_id, 2) || late.isSuperseded(user_id, 3))).toEqual([]);
    await Promise.all([first.close(), late.close()]);
  });

  it('during an interruption are received after it; earlier ones stay in effect in the meantime', async () => {
    const proxy = await startFlakyProxy(testServers().natsUrl);
    const changes = listenTo(notes, proxy.url);
    const [before, during] = [newId(), newId()];
    await announce(notes, before, 2);
    await eventually(() => expect(changes.isSuperseded(before, 1)).toBe(true));
    proxy.cut();
    await announce(notes, during, 7);
    expect(changes.isSuperseded(before, 1)).toBe(true);
    proxy.restore();
    await eventually(() => expect(changes.isSuperseded(during, 6)).toBe(true));
    proxy.cut();
    proxy.restore();
    const after = newId();
    await announce(notes, after, 2);
    await eventually(() => expect(changes.isSuperseded(after, 1)).toBe(true));
    await changes.close();
    await proxy.close();
  });

  it('are received again after NATS has lost the consumer, as after a restart', async () => {
    const changes = listenTo(notes, testServers().natsUrl);
    await changes.caughtUp();
    const options = { NATS_URL: testServers().natsUrl, NATS_STREAM: notes.env['NATS_STREAM']!, EVENTS_PREFIX: notes.env['EVENTS_PREFIX']! };
    const nats = new Nats(options, 'test', createLogger('test', 'fatal'));
    const { jsm } = await nats.connected();
    for await (const { name, config } of jsm.consumers.list(options.NATS_STREAM))
      if (config.filter_subject?.endsWith(accessChanged.type)) await jsm.consumers.delete(options.NATS_STREAM, name);
    const user_id = newId();
    await announce(notes, user_id, 2);
    await eventually(() => expect(changes.isSuperseded(user_id, 1)).toBe(true));
    await Promise.all([changes.close(), nats.close()]);
  });

  it('are dropped when no older token can still be valid', async () => {
    const changes = listenTo(notes, testServers().natsUrl, 300);
    await changes.caughtUp();
    const [old, recent] = [newId(), newId()];
    await announce(notes, old, 2);
    await eventually(() => expect(changes.isSuperseded(old, 1)).toBe(true));
    await eventually(async () => {
      await announce(notes, recent, 2);
      expect(changes.isSuperseded(old, 1)).toBe(false);
    });
    await changes.close();
  });

  it('delay the start of a process by at most three seconds while NATS is down', async () => {
    const changes = listenTo(notes, 'nats://127.0.0.1:1');
    // Without the limit it would wait forever.
    await changes.onApplicationBootstrap();
    expect(changes.isSuperseded(newId(), 1)).toBe(false);
    await changes.close();
  });
});
