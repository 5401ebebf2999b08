import { systemContext, ticketCreated } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { emit } from '@tandem/messaging';
import { eventually, ticketOf } from '@tandem/testing';
import { IntegrationsUnderTest, type TestOrganization } from '../../test/integrations';
import { sql } from 'kysely';
import type { IntegrationRow, LinkRow } from '../schema';

let integrations: IntegrationsUnderTest;
beforeAll(async () => (integrations = await IntegrationsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => integrations?.close());
afterEach(() => expect(integrations.clickup.violations).toEqual([]));

const now = () => new Date().toISOString();
/** Each test has its own lists in the sandbox, because a list's webhook also reports other tests' tasks. */
async function anIntegratedOrganization(lists: string[]) {
  const organization = integrations.anOrganization();
  const connection = await integrations.aConnection(organization);
  const made: IntegrationRow[] = [];
  for (const name of lists) {
    integrations.clickup.addList('Support', name);
    made.push(await integrations.anIntegration(connection, { list: name, next_check_at: now(), created_at: now() }));
  }
  await eventually(async () => {
    for (const found of await integrations.findIntegrations(organization))
      expect(found).toMatchObject({ webhook_state: 'active', webhook_id: expect.any(String) as string });
  });
  await looked(organization);
  return { organization, connection, integration: made[0]!, other: made[1] };
}
const looked = (organization: TestOrganization) =>
  eventually(async () => {
    for (const { next_check_at } of await integrations.findIntegrations(organization))
      expect(Date.parse(next_check_at)).toBeGreaterThan(Date.now() + 60_000);
  });
/** Reconciles the list now and waits for the work that this causes. */
async function checkList(organization: TestOrganization, changes: { scanned_at?: string; described_at?: string } = {}) {
  await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('integrations')
      .set({ next_check_at: now(), ...changes })
      .execute(),
  );
  await eventually(async () => {
    const rows = await integrations.findIntegrations(organization);
    for (const { next_check_at, is_active } of rows) expect(!is_active || Date.parse(next_check_at) > Date.now() + 60_000).toBe(true);
  });
  await atRest(organization);
}
/** Waits until no link is due. No ticket answers in these tests, so the answers become overdue later. */
const atRest = (organization: TestOrganization) =>
  eventually(async () => {
    const due = await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .selectFrom('links')
        .select('ticket_id')
        .where('next_sync_at', '<=', sql<string>`now() + interval '1 second'`)
        .execute(),
    );
    expect(due).toEqual([]);
  });
async function linkedTickets(organization: TestOrganization, count: number): Promise<LinkRow[]> {
  const ctx = systemContext(organization.id, 'test');
  const tickets = Array.from({ length: count }, (_, i) =>
    ticketOf(organization.id, { ticket_number: `ACM-${i}`, subject: `Ticket ${i}`, created_at: now() }),
  );
  await integrations.db.forTenant(ctx, async (tx) => {
    for (const ticket of tickets) await emit(tx, ctx, ticketCreated, ticket.id, { ticket });
  });
  await eventually(async () => {
    for (const { id } of tickets)
      expect(await integrations.findLink(organization, id)).toMatchObject({ state: 'linked', next_sync_at: null });
  });
  await integrations.clickup.deliveriesSettled();
  return Promise.all(tickets.map(async ({ id }) => (await integrations.findLink(organization, id))!));
}
const proposedChanges = async (ticket_id: string, type = 'task.change_proposed') =>
  (await integrations.events(ticket_id)).filter((event) => event.type === type).map(({ data }) => data);
const calls = () => integrations.clickup.requests.length;

/** Changes these tasks, and delays all reads until webhooks have reported every change. Returns when all tasks are read; the request log has the calls. */
async function changeAtOnce(
  organization: TestOrganization,
  links: LinkRow[],
  change = (task_id: string) => integrations.clickup.person.setStatus(task_id, 'In Progress'),
): Promise<void> {
  const until = (blocked_until: string | null) =>
    integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .updateTable('connections')
        .set({ blocked_until, block_reason: blocked_until === null ? null : 'rate_limit' })
        .execute(),
    );
  await until('2040-01-01T00:00:00.000Z');
  integrations.clickup.clearLog();
  integrations.clickup.holdDeliveries();
  for (const { task_id } of links) change(task_id!);
  integrations.clickup.releaseDeliveries({ order: 'reverse', twice: true });
  await integrations.clickup.deliveriesSettled();
  await eventually(async () => {
    const reported = await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('links').select('ticket_id').whereRef('task_notified_at', '>', 'task_read_at').execute(),
    );
    expect(reported).toHaveLength(links.length);
  });
  await until(null);
  await eventually(async () => {
    const unread = await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('links').select('ticket_id').whereRef('task_notified_at', '>', 'task_read_at').execute(),
    );
    expect(unread).toEqual([]);
  });
  await atRest(organization);
}

describe('checking a list', () => {
  it('creates its webhook, and creates it again if it no longer exists in the tool', async () => {
    const { organization, integration } = await anIntegratedOrganization(['hooks']);
    const ofList = () => integrations.clickup.webhooks.filter(({ list_id }) => list_id === integration.list_id);
    const [first] = ofList();
    expect(first!.endpoint).toContain(`/api/v1/hooks/task-tool/clickup/${integration.connection_id}`);
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('integrations').set({ webhook_id: 'gone' }).execute(),
    );
    await checkList(organization);
    expect((await integrations.findIntegrations(organization))[0]).toMatchObject({ webhook_id: first!.id, webhook_state: 'active' });
    expect(ofList()).toHaveLength(1);
    const [link] = await linkedTickets(organization, 1);
    integrations.clickup.person.setStatus(link!.task_id!, 'In Progress');
    await eventually(async () =>
      expect(await proposedChanges(link!.ticket_id)).toMatchObject([{ changes: { status: { to: 'in_progress' } } }]),
    );
  });

  it('keeps a task linked that is archived, or added to another list', async () => {
    const { organization, integration, other } = await anIntegratedOrganization(['archive', 'second home']);
    const [archived, shared] = await linkedTickets(organization, 2);
    const { person } = integrations.clickup;
    integrations.clickup.suspendWebhooks();
    person.archive(archived!.task_id!);
    person.setPriority(archived!.task_id!, 1);
    const home = [archived, shared].map((link) => integrations.clickup.task(link!.task_id!)!.list_id);
    person.addToList(shared!.task_id!, [integration, other!].find(({ list_id }) => list_id !== home[1])!.list_id);
    person.setPriority(shared!.task_id!, 2);
    await checkList(organization, { scanned_at: new Date(0).toISOString() });
    for (const [link, priority] of [
      [archived, 'urgent'],
      [shared, 'high'],
    ] as const) {
      expect(await proposedChanges(link!.ticket_id)).toMatchObject([{ changes: { priority: { to: priority } } }]);
      expect(await integrations.findLink(organization, link!.ticket_id)).toMatchObject({
        state: 'linked',
        task_id: link!.task_id,
        integration_id: link!.integration_id,
      });
      expect(await integrations.eventTypes(link!.ticket_id)).not.toContain('task.unlinked');
    }
  });

  it('reactivates a suspended webhook and finds everything that it did not report: changes, comments, deletions', async () => {
    const { organization } = await anIntegratedOrganization(['suspended']);
    const [changed, commented, deleted, untouched] = await linkedTickets(organization, 4);
    integrations.clickup.suspendWebhooks();
    const { person } = integrations.clickup;
    person.setStatus(changed!.task_id!, 'In Progress');
    person.setPriority(changed!.task_id!, 1);
    person.comment(commented!.task_id!, 'Which printer?');
    person.deleteTask(deleted!.task_id!);
    await checkList(organization);
    expect((await integrations.findIntegrations(organization))[0]).toMatchObject({ webhook_state: 'active' });
    expect(await proposedChanges(changed!.ticket_id)).toMatchObject([
      { changes: { status: { from: 'open', to: 'in_progress' }, priority: { from: 'medium', to: 'urgent' } } },
    ]);
    expect(await proposedChanges(commented!.ticket_id, 'task.comment_received')).toMatchObject([{ content: 'Which printer?' }]);
    expect(await proposedChanges(deleted!.ticket_id, 'task.unlinked')).toMatchObject([{ reason: 'task_deleted' }]);
    expect(await integrations.findLink(organization, deleted!.ticket_id)).toMatchObject({ state: 'gone' });
    expect(await proposedChanges(untouched!.ticket_id)).toEqual([]);
    expect((await integrations.syncLog(organization)).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('had stopped sending changes'),
    );
    // The next reconciliation reports nothing twice, and the webhook sends again.
    await checkList(organization);
    person.setStatus(untouched!.task_id!, 'In Progress');
    await eventually(async () => expect(await proposedChanges(untouched!.ticket_id)).toHaveLength(1));
    expect(await proposedChanges(changed!.ticket_id)).toHaveLength(1);
    expect(await proposedChanges(commented!.ticket_id, 'task.comment_received')).toHaveLength(1);
  });

  it('finds lost changes, with one call for a list in which nothing else changed', async () => {
    const { organization } = await anIntegratedOrganization(['dropped']);
    const [changed, commented] = await linkedTickets(organization, 2);
    await checkList(organization);
    const { clickup } = integrations;
    clickup.dropDeliveries(2);
    clickup.person.setStatus(changed!.task_id!, 'In Progress');
    clickup.dropDeliveries(2);
    clickup.person.comment(commented!.task_id!, 'Which printer?');
    await checkList(organization);
    expect(await proposedChanges(changed!.ticket_id)).toMatchObject([{ changes: { status: { to: 'in_progress' } } }]);
    expect(await proposedChanges(commented!.ticket_id, 'task.comment_received')).toMatchObject([{ content: 'Which printer?' }]);
    const before = calls();
    await checkList(organization);
    // The webhook's health, the list, and its archive.
    expect(calls() - before).toBe(3);
  });

  it('finds a lost comment although a much later one is known', async () => {
    const { organization } = await anIntegratedOrganization(['later comment']);
    const [link] = await linkedTickets(organization, 1);
    const known = { organization_id: organization.id, id: newId(), ticket_id: link!.ticket_id, comment_id: newId(), external_id: '7' };
    const created_at = new Date(Date.now() + 5 * 3_600_000).toISOString();
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .insertInto('comment_links')
        .values({ ...known, state: 'sent', created_at })
        .execute(),
    );
    integrations.clickup.dropDeliveries(2);
    integrations.clickup.person.comment(link!.task_id!, 'Which printer?');
    await checkList(organization);
    expect(await proposedChanges(link!.ticket_id, 'task.comment_received')).toMatchObject([{ content: 'Which printer?' }]);
  });

  it('scans all tasks once a day and finds an unreported deletion', async () => {
    const { organization } = await anIntegratedOrganization(['counted']);
    const [link] = await linkedTickets(organization, 1);
    integrations.clickup.dropDeliveries(1);
    integrations.clickup.person.deleteTask(link!.task_id!);
    await checkList(organization);
    expect(await integrations.findLink(organization, link!.ticket_id)).toMatchObject({ state: 'linked' });
    await checkList(organization, { scanned_at: '2026-01-01T00:00:00.000Z' });
    expect(await integrations.findLink(organization, link!.ticket_id)).toMatchObject({ state: 'gone' });
  });

  it('continues an interrupted scan after the tool was down', async () => {
    const { organization, integration } = await anIntegratedOrganization(['long']);
    const { clickup } = integrations;
    for (let i = 0; i < 250; i += 1) clickup.person.createTask('long', { name: `Somebody’s ${i}` });
    const links = await linkedTickets(organization, 4);
    await checkList(organization);
    clickup.dropDeliveries(1);
    clickup.person.deleteTask(links[3]!.task_id!);
    clickup.clearLog();
    // The changes are one page, and so is the first page of the full scan; each takes a call for active and one for archived tasks.
    const pages = `/list/${integration.list_id}/task`;
    clickup.faults.answer({ status: 502, body: 'Bad gateway' }, { method: 'GET', path: pages, skip: 4 });
    await checkList(organization, { scanned_at: '2026-01-01T00:00:00.000Z' });
    expect(await integrations.findLink(organization, links[3]!.ticket_id)).toMatchObject({ state: 'gone' });
    for (const { ticket_id } of links.slice(0, 3))
      expect(await integrations.findLink(organization, ticket_id)).toMatchObject({ state: 'linked' });
    // The full scan started from the beginning only once.
    const reads = clickup.requests.filter(({ method, path }) => method === 'GET' && path.includes(pages));
    expect(reads.filter(({ path }) => !path.includes('date_updated_gt') && !path.includes('archived=true'))).toHaveLength(1);
    expect((await integrations.findIntegrations(organization))[0]).toMatchObject({ scan_started_at: null, scanned_until: null });
  });

  it('follows a task to another list, connected or not', async () => {
    const { organization, integration, other } = await anIntegratedOrganization(['from', 'to']);
    integrations.clickup.addList('Support', 'elsewhere');
    // The older integration receives both tickets.
    const [ours, elsewhere] = await linkedTickets(organization, 2);
    expect(ours!.integration_id).toBe(integration.id);
    const { person } = integrations.clickup;
    person.moveTask(ours!.task_id!, 'to');
    person.moveTask(elsewhere!.task_id!, 'elsewhere');
    await integrations.clickup.deliveriesSettled();
    await checkList(organization);
    expect(await integrations.findLink(organization, ours!.ticket_id)).toMatchObject({ state: 'linked', integration_id: other!.id });
    expect(await integrations.findLink(organization, elsewhere!.ticket_id)).toMatchObject({
      state: 'linked',
      integration_id: integration.id,
    });
    // In that list, none of Tandem's webhooks reports the change.
    person.setStatus(elsewhere!.task_id!, 'In Progress');
    await checkList(organization);
    expect(await proposedChanges(elsewhere!.ticket_id)).toMatchObject([{ changes: { status: { to: 'in_progress' } } }]);
  });

  it('reads its statuses again, and reports a removed one that is mapped', async () => {
    const { organization } = await anIntegratedOrganization(['statuses']);
    const statuses = [{ id: 'x', name: 'Parked', category: 'active', color: null }];
    const status_mappings = JSON.stringify({ open: 'Parked', in_progress: null, waiting_for_customer: null, resolved: null, closed: null });
    await integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .updateTable('integrations')
        .set({ statuses: JSON.stringify(statuses), status_mappings })
        .execute(),
    );
    await checkList(organization, { described_at: '2026-01-01T00:00:00.000Z' });
    const [after] = await integrations.findIntegrations(organization);
    expect(after!.statuses.map(({ name }) => name)).toEqual(['To Do', 'In Progress', 'Review', 'Complete', 'Closed']);
    expect((await integrations.syncLog(organization)).map(({ message }) => message)).toContainEqual(
      expect.stringContaining('no longer has the status “Parked”'),
    );
  });

  it('that was deleted without a webhook pauses the integration, and the links wait for an admin', async () => {
    const { organization, integration } = await anIntegratedOrganization(['deleted']);
    const [link] = await linkedTickets(organization, 1);
    integrations.clickup.dropDeliveries(1);
    integrations.clickup.deleteList('deleted');
    await checkList(organization);
    expect((await integrations.findIntegrations(organization))[0]).toMatchObject({ is_active: false, pause_reason: 'list_gone' });
    expect((await integrations.eventTypes(integration.id)).filter((type) => type === 'task.sync_failed')).toHaveLength(1);
    expect(await integrations.findLink(organization, link!.ticket_id)).toMatchObject({ state: 'linked', next_sync_at: null });
    expect(await proposedChanges(link!.ticket_id, 'task.unlinked')).toEqual([]);
  });

  it.each([
    ['one by one up to six, because a page of the list takes two calls', 6, 6, 0],
    ['by pages of the list from seven', 7, 0, 2],
  ])('reads tasks that changed at the same time %s', async (_name, count, reads, pageCalls) => {
    const { organization } = await anIntegratedOrganization([`changed ${count}`]);
    const links = await linkedTickets(organization, count);
    await changeAtOnce(organization, links);
    const made = () => integrations.clickup.requests.filter(({ method }) => method === 'GET').map(({ route }) => route);
    expect(made().filter((route) => route === '/v2/task/{task_id}')).toHaveLength(reads);
    expect(made().filter((route) => route === '/v2/list/{list_id}/task')).toHaveLength(pageCalls);
  });

  it('reads tasks individually that the pages do not show, after one page', async () => {
    const { organization, other } = await anIntegratedOrganization(['moved from', 'moved to']);
    const links = await linkedTickets(organization, 8);
    await changeAtOnce(organization, links, (task_id) => integrations.clickup.person.moveTask(task_id, other!.list_id));
    const made = () => integrations.clickup.requests.filter(({ method }) => method === 'GET').map(({ route }) => route);
    expect(made().filter((route) => route === '/v2/task/{task_id}').length).toBeLessThanOrEqual(8);
    expect(made().filter((route) => route === '/v2/list/{list_id}/task').length).toBeLessThanOrEqual(4);
  });

  it('reads many changed tasks with few calls', async () => {
    const { organization } = await anIntegratedOrganization(['many']);
    const links = await linkedTickets(organization, 40);
    await changeAtOnce(organization, links);
    for (const { ticket_id } of links) expect(await proposedChanges(ticket_id)).toHaveLength(1);
    expect(calls()).toBeLessThan(15);
  });
});
