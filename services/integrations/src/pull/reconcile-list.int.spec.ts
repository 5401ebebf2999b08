import { Database } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => expect(sync.integrations.clickup.violations).toEqual([]));

async function checkList({ organization }: Fixture): Promise<void> {
  await sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).execute(),
  );
  await eventually(async () => {
    const [integration] = await sync.integrations.findIntegrations(organization);
    expect(Date.parse(integration!.next_check_at)).toBeGreaterThan(Date.now() + 60_000);
  });
}
const notes = async ({ id }: { id: string }) =>
  (await sync.integrations.events(id)).filter(({ type }) => type === 'task.comment_received').map(({ data }) => data.content as string);
const commentCalls = () => sync.calls.filter((call) => call.startsWith('GET') && call.includes('/comment'));

describe('checking a list', () => {
  it('finds a comment whose webhook was lost although a later change to its task was reported, with one call and once', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    await sync.aLinkedTicket(fixture);
    await checkList(fixture);
    await sync.whenSynced(fixture, ticket);
    const { clickup } = sync.integrations;
    clickup.dropDeliveries(2);
    clickup.person.comment(task_id, 'Which printer?');
    clickup.person.setStatus(task_id, 'In Progress');
    await eventually(() => expect(sync.tickets.get(ticket.id).status).toBe('in_progress'));
    await sync.whenIdle(fixture, ticket);
    expect(await notes(ticket)).toEqual([]);
    clickup.clearLog();
    await checkList(fixture);
    await eventually(async () => expect(await notes(ticket)).toEqual(['Which printer?']));
    await sync.whenSynced(fixture, ticket);
    expect(commentCalls()).toHaveLength(1);
    await checkList(fixture);
    await sync.whenSynced(fixture, ticket);
    expect(commentCalls()).toHaveLength(1);
  });

  it('renames a status in the mapping that was renamed in the tool', async () => {
    const fixture = await sync.aFixture();
    const { status_mappings, statuses } = fixture.integration;
    const before = statuses.map((status) => (status.name === 'In Progress' ? { ...status, name: 'Doing' } : status));
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('integrations')
        .set({
          statuses: JSON.stringify(before),
          status_mappings: JSON.stringify({ ...status_mappings, in_progress: 'Doing' }),
          described_at: '2026-01-01T00:00:00.000Z',
        })
        .execute(),
    );
    await checkList(fixture);
    expect((await sync.integrations.findIntegrations(fixture.organization))[0]!.status_mappings).toMatchObject({
      in_progress: 'In Progress',
    });
    expect((await sync.integrations.syncLog(fixture.organization)).map(({ message }) => message)).toEqual([
      'The list’s status “Doing” was renamed to “In Progress”. The status mapping was updated.',
    ]);
  });

  it('continues if one task cannot be applied, which is then read individually', async () => {
    const fixture = await sync.aFixture();
    const pairs = [await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture)];
    await checkList(fixture);
    const before = (await sync.integrations.findIntegrations(fixture.organization))[0]!.list_read_until!;
    const owner = new Database({ url: sync.integrations.database.ownerUrl });
    const run = (statement: string) => owner.asSystem('test', (tx) => sql.raw(statement).execute(tx));
    await run(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'poison'; end $$`);
    await run(`create trigger refuse before update on links for each row when (new.task ->> 'title' = 'Poison') execute function refuse()`);
    const { clickup } = sync.integrations;
    clickup.dropDeliveries(3);
    const [poisoned, ...others] = pairs;
    clickup.person.rename(poisoned!.task_id, 'Poison');
    for (const { task_id } of others) clickup.person.rename(task_id, 'Harmless');
    await checkList(fixture);
    await eventually(() => {
      for (const { ticket } of others) expect(sync.tickets.get(ticket.id).subject).toBe('Harmless');
    });
    expect((await sync.integrations.findIntegrations(fixture.organization))[0]!.list_read_until! > before).toBe(true);
    expect(sync.tickets.get(poisoned!.ticket.id).subject).not.toBe('Poison');
    await run('drop trigger refuse on links');
    await owner.close();
    await eventually(() => expect(sync.tickets.get(poisoned!.ticket.id).subject).toBe('Poison'));
  });
});

it('a comment that was posted before the link knew its task is added to the ticket', async () => {
  const fixture = await sync.aFixture();
  const { clickup } = sync.integrations;
  clickup.faults.loseAnswer({ method: 'POST', path: '/task' });
  const ticket = await sync.tickets.create(fixture.organization);
  const task = await eventually(() => {
    const [made] = clickup.tasks(fixture.list);
    expect(made).toBeDefined();
    return made!;
  });
  clickup.person.comment(task.id, 'I am on it');
  await eventually(async () => expect(await notes(ticket)).toEqual(['I am on it']));
});
