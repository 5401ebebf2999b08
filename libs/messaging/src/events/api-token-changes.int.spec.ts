import { apiTokenChanged, type ApiToken, type DataOf } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually, staff, startFlakyProxy, testServers } from '@tandem/testing';
import { ApiTokenChanges, emit } from '..';
import { startNotes } from '../../test/notes';

const admin = staff('admin');
type Notes = Awaited<ReturnType<typeof startNotes>>;

const aToken = (id: string): ApiToken => ({
  id,
  organization_id: admin.organization_id,
  name: 'Importer',
  last_four: 'abcd',
  permissions: ['tickets:read'],
  networks: [],
  is_active: true,
  expires_at: null,
  last_used_at: null,
  last_used_ip: null,
  previous_valid_until: null,
  created_by: newId(),
  creator_name: 'Ada',
  creator_is_active: true,
  created_at: '2026-11-23T10:00:00.000Z',
});

describe('changes of API tokens', () => {
  let notes: Notes;
  beforeAll(async () => {
    notes = await startNotes({ RUN: 'http,events' });
  });
  afterAll(() => notes?.close());

  const listenTo = (NATS_URL: string) => {
    const changes = new ApiTokenChanges({
      NATS_URL,
      NATS_STREAM: notes.env['NATS_STREAM']!,
      EVENTS_PREFIX: notes.env['EVENTS_PREFIX']!,
      LOG_LEVEL: 'fatal',
    });
    const received = new Set<string>();
    changes.onChange((id) => received.add(id));
    changes.start();
    return { changes, received };
  };
  const announce = async (what: DataOf<typeof apiTokenChanged>['what'], id = newId()) => {
    await notes.db.forTenant(admin, (tx) => emit(tx, admin, apiTokenChanged, id, { what, token: aToken(id), changes: {} }));
    return id;
  };

  it('reach every replica, apart from creations', async () => {
    const replicas = [listenTo(testServers().natsUrl), listenTo(testServers().natsUrl)];
    await Promise.all(replicas.map(({ changes }) => changes.caughtUp()));
    const created = await announce('created');
    const ids = [await announce('updated'), await announce('rotated'), await announce('deleted')];
    for (const { received } of replicas) await eventually(() => expect([...received]).toEqual(ids));
    expect(replicas.some(({ received }) => received.has(created))).toBe(false);
    await Promise.all(replicas.map(({ changes }) => changes.close()));
  });

  it('during an interruption are received after it', async () => {
    const proxy = await startFlakyProxy(testServers().natsUrl);
    const { changes, received } = listenTo(proxy.url);
    const before = await announce('updated');
    await eventually(() => expect(received).toContain(before));
    proxy.cut();
    const during = await announce('updated');
    proxy.restore();
    await eventually(() => expect(received).toContain(during));
    await changes.close();
    await proxy.close();
  });
});
