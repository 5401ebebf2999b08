import { Database } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { Stage, type Scene } from '../../test/scene';

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterEach(() => expect(stage.integrations.clickup.violations).toEqual([]));

async function look({ organization }: Scene): Promise<void> {
  await stage.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ look_at: new Date().toISOString() }).execute(),
  );
  await eventually(async () => {
    const [integration] = await stage.integrations.findIntegrations(organization);
    expect(Date.parse(integration!.look_at)).toBeGreaterThan(Date.now() + 60_000);
  });
}
const notes = async ({ id }: { id: string }) =>
  (await stage.integrations.events(id)).filter(({ type }) => type === 'task.comment_received').map(({ data }) => data.content as string);
const commentCalls = () => stage.calls.filter((call) => call.startsWith('GET') && call.includes('/comment'));

describe('a look at a list', () => {
  it('finds a comment that was lost although a later change of its task was heard, with one call and once', async () => {
    const scene = await stage.aScene();
    const { ticket, task_id } = await stage.aPair(scene);
    await stage.aPair(scene);
    await look(scene);
    await stage.settled(scene, ticket);
    const { clickup } = stage.integrations;
    clickup.dropDeliveries(2);
    clickup.person.comment(task_id, 'Which printer?');
    clickup.person.setStatus(task_id, 'In Progress');
    await eventually(() => expect(stage.tickets.get(ticket.id).status).toBe('in_progress'));
    await stage.quiet(scene, ticket);
    expect(await notes(ticket)).toEqual([]);
    clickup.clearLog();
    await look(scene);
    await eventually(async () => expect(await notes(ticket)).toEqual(['Which printer?']));
    await stage.settled(scene, ticket);
    expect(commentCalls()).toHaveLength(1);
    await look(scene);
    await stage.settled(scene, ticket);
    expect(commentCalls()).toHaveLength(1);
  });

  it('follows a status that was renamed over there with the mapping', async () => {
    const scene = await stage.aScene();
    const { status_mappings, statuses } = scene.integration;
    const before = statuses.map((status) => (status.name === 'In Progress' ? { ...status, name: 'Doing' } : status));
    await stage.integrations.db.forTenant({ organization_id: scene.organization.id }, (tx) =>
      tx
        .updateTable('integrations')
        .set({
          statuses: JSON.stringify(before),
          status_mappings: JSON.stringify({ ...status_mappings, in_progress: 'Doing' }),
          described_at: '2026-01-01T00:00:00.000Z',
        })
        .execute(),
    );
    await look(scene);
    expect((await stage.integrations.findIntegrations(scene.organization))[0]!.status_mappings).toMatchObject({
      in_progress: 'In Progress',
    });
    expect((await stage.integrations.syncLog(scene.organization)).map(({ message }) => message)).toEqual([
      'The list’s status “Doing” is called “In Progress” now, and the status mapping follows.',
    ]);
  });

  it('goes on where one task cannot be taken, which is read by itself until it can', async () => {
    const scene = await stage.aScene();
    const pairs = [await stage.aPair(scene), await stage.aPair(scene), await stage.aPair(scene)];
    await look(scene);
    const before = (await stage.integrations.findIntegrations(scene.organization))[0]!.list_seen_until!;
    const owner = new Database({ url: stage.integrations.database.ownerUrl });
    const run = (statement: string) => owner.asSystem('test', (tx) => sql.raw(statement).execute(tx));
    await run(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`);
    await run(`create trigger refuse before update on links for each row when (new.task ->> 'title' = 'Poison') execute function refuse()`);
    const { clickup } = stage.integrations;
    clickup.dropDeliveries(3);
    const [poisoned, ...others] = pairs;
    clickup.person.rename(poisoned!.task_id, 'Poison');
    for (const { task_id } of others) clickup.person.rename(task_id, 'Harmless');
    await look(scene);
    await eventually(() => {
      for (const { ticket } of others) expect(stage.tickets.get(ticket.id).subject).toBe('Harmless');
    });
    expect((await stage.integrations.findIntegrations(scene.organization))[0]!.list_seen_until! > before).toBe(true);
    expect(stage.tickets.get(poisoned!.ticket.id).subject).not.toBe('Poison');
    await run('drop trigger refuse on links');
    await owner.close();
    await eventually(() => expect(stage.tickets.get(poisoned!.ticket.id).subject).toBe('Poison'));
  });
});

it('a comment that was said before the link knew its task comes to the ticket', async () => {
  const scene = await stage.aScene();
  const { clickup } = stage.integrations;
  clickup.faults.loseAnswer({ method: 'POST', path: '/task' });
  const ticket = await stage.tickets.create(scene.organization);
  const task = await eventually(() => {
    const [made] = clickup.tasks(scene.list);
    expect(made).toBeDefined();
    return made!;
  });
  clickup.person.comment(task.id, 'I am on it');
  await eventually(async () => expect(await notes(ticket)).toEqual(['I am on it']));
});
