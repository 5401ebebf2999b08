import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { Stage, type Scene } from '../../test/scene';
import { LeaseLost, ToolCalls } from './caller';
import { takeLease } from './lease.store';

/** Only the test itself processes jobs. */
let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ RUN: 'http,events' });
});

const aConnection = async () => {
  const organization = stage.integrations.anOrganization();
  return { organization, connection: await stage.integrations.aConnection(organization) };
};
const lease = ({ organization, connection }: Pick<Scene, 'organization' | 'connection'>) =>
  stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) => takeLease(tx, connection.id, 30_000));
const change = ({ organization }: Pick<Scene, 'organization'>, values: object) =>
  stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('connections')
      .set(values as never)
      .execute(),
  );
const whoAmI = { method: 'GET', path: '/v2/user' } as const;

describe('a process that stood still for longer than its lease', () => {
  it('makes no further call, while the one that took over does, and a screen always may', async () => {
    const scene = await aConnection();
    const calls = stage.integrations.app.get(ToolCalls);
    const first = await lease(scene);
    const byFirst = calls.forConnection(scene.connection, 1, first!.working_id!);
    expect((await byFirst(whoAmI)).status).toBe(200);
    await change(scene, { working_until: sql`now()` });
    await expect(byFirst(whoAmI)).rejects.toBeInstanceOf(LeaseLost);
    const second = await lease(scene);
    expect(second!.working_id).not.toBe(first!.working_id);
    stage.integrations.clickup.clearLog();
    await expect(byFirst(whoAmI)).rejects.toBeInstanceOf(LeaseLost);
    expect(stage.calls).toEqual([]);
    expect((await calls.forConnection(scene.connection, 1, second!.working_id!)(whoAmI)).status).toBe(200);
    expect((await calls.forConnection(scene.connection, 0)(whoAmI)).status).toBe(200);
  });
});

describe('a limit whose window has no known end', () => {
  it('lasts a minute: what is left of it being used up holds nobody up for ever', async () => {
    const scene = await aConnection();
    const call = stage.integrations.app.get(ToolCalls).forConnection(scene.connection, 1);
    await change(scene, { rate_limit: 100, rate_remaining: 20, rate_reset_at: null, rate_since: sql`now() - interval '30 seconds'` });
    const refused = (await call(whoAmI).catch((error: unknown) => error)) as { problem: string; details: { retry_at: string } };
    expect(refused.problem).toBe('rate_limited');
    expect(Math.round((Date.parse(refused.details.retry_at) - Date.now()) / 1_000)).toBe(30);
    await change(scene, { rate_since: sql`now() - interval '1 minute'` });
    expect((await call(whoAmI)).status).toBe(200);
    await change(scene, { rate_limit: 100, rate_remaining: 0, rate_reset_at: null, rate_since: null });
    expect((await call(whoAmI)).status).toBe(200);
  });
});

describe('many calls of one connection at once', () => {
  it('note their answers beside events that want the connection to stay, and never wait for each other in a circle', async () => {
    const scene = await aConnection();
    const call = stage.integrations.app.get(ToolCalls).forConnection(scene.connection, 1);
    let isOver = false;
    // Takes the same lock as ticket events.
    const wantIt = async () => {
      while (!isOver)
        await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
          tx.selectFrom('connections').select('id').where('id', '=', scene.connection.id).forKeyShare().execute(),
        );
    };
    const wanting = [wantIt(), wantIt()];
    const errors: unknown[] = [];
    // More callers than the pool has connections, but few enough that none exceeds the time to wait for a connection on a slow machine.
    const caller = async () => {
      for (let n = 0; n < 40; n += 1) await call(whoAmI).catch((error: unknown) => errors.push(error));
    };
    await Promise.all(Array.from({ length: 20 }, caller));
    isOver = true;
    await Promise.all(wanting);
    expect(errors).toEqual([]);
  });
});

describe('whoever takes the lease', () => {
  it('holds up no event of a ticket, which only wants the connection to stay', async () => {
    const scene = await aConnection();
    await stage.integrations.anIntegration(scene.connection);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const holding = stage.integrations.db.forTenant({ organization_id: scene.organization.id }, async (tx) => {
      await takeLease(tx, scene.connection.id, 30_000);
      await held;
    });
    const ticket = await stage.tickets.create(scene.organization);
    await eventually(async () =>
      expect(await stage.integrations.findLink(scene.organization, ticket.id)).toMatchObject({ state: 'creating' }),
    );
    release();
    await holding;
  });
});
