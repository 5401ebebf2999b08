import { listSyncProblems, retryIntegration, type SyncProblem } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { newId } from '@tandem/db';
import { asStaff, asToken, type Input } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

const list = ({ organization, integration }: Fixture, query?: Record<string, string>) =>
  sync.integrations.call<SyncProblem[]>(listSyncProblems, asStaff(organization), {
    params: { id: integration.id },
    ...(query && { query }),
  });
const retry = ({ organization, integration }: Fixture) =>
  sync.integrations.call<{ retried: number }>(retryIntegration, asStaff(organization), { params: { id: integration.id } });
const nameOf = (task_id: string) => sync.integrations.clickup.task(task_id)!.name;

/** Four tickets: one whose task is not accessible, one stopped because of a sync loop, one whose title was refused, and one in sync. */
async function troubles() {
  const fixture = await sync.aFixture();
  const [failed, stopped, differs, fine] = [
    await sync.aLinkedTicket(fixture),
    await sync.aLinkedTicket(fixture),
    await sync.aLinkedTicket(fixture),
    await sync.aLinkedTicket(fixture),
  ];
  sync.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'PUT', path: failed.task_id });
  await sync.tickets.change(failed.ticket.id, { subject: 'Failed' });
  await eventually(async () =>
    expect(await sync.integrations.findLink(fixture.organization, failed.ticket.id)).toMatchObject({ state: 'failed' }),
  );
  await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
    tx
      .updateTable('links')
      .set({ state: 'stopped', problem: 'Too often' } as object)
      .where('ticket_id', '=', stopped.ticket.id)
      .execute(),
  );
  sync.integrations.clickup.failNext(400, 'INPUT_005', { method: 'PUT', path: differs.task_id });
  await sync.tickets.change(differs.ticket.id, { subject: 'Refused' });
  await eventually(async () => expect((await list(fixture, { kind: 'differs' })).data).toHaveLength(1));
  await sync.whenIdle(fixture, differs.ticket);
  return { fixture, failed, stopped, differs, fine };
}

it('tickets that are out of sync are listed with the reason, the latest first, by kind and page', async () => {
  const { fixture, failed, stopped, differs } = await troubles();
  const { status, data, pagination } = await list(fixture);
  expect([status, pagination.total]).toEqual([200, 3]);
  expect(data).toMatchObject([
    { ticket_id: differs.ticket.id, kind: 'differs', fields: ['title'], reason: 'ClickUp does not accept this title', subject: 'Refused' },
    { ticket_id: stopped.ticket.id, kind: 'stopped', fields: [], reason: 'Too often' },
    { ticket_id: failed.ticket.id, kind: 'failed', fields: [], reason: expect.stringContaining('ClickUp') as string },
  ]);
  expect(data.map((problem) => Object.keys(problem).sort())).toEqual(
    Array(3).fill(['fields', 'kind', 'reason', 'subject', 'synced_at', 'task_url', 'ticket_id', 'ticket_number']),
  );
  for (const kind of ['failed', 'stopped', 'differs']) expect((await list(fixture, { kind })).data).toMatchObject([{ kind }]);
  const pages: SyncProblem[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await list(fixture, { limit: '1', ...(cursor && { cursor }) });
    pages.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  expect(pages).toEqual(data);
});

it('"Retry all" retries failed, stopped and refused changes', async () => {
  const { fixture, failed, stopped, differs } = await troubles();
  await sync.tickets.change(stopped.ticket.id, { subject: 'Stopped before' });
  expect(await retry(fixture)).toMatchObject({ status: 202, data: { retried: 3 } });
  await eventually(() =>
    expect([failed, stopped, differs].map(({ task_id }) => nameOf(task_id))).toEqual(['Failed', 'Stopped before', 'Refused']),
  );
  for (const { ticket } of [failed, stopped, differs]) await sync.whenIdle(fixture, ticket);
  expect((await list(fixture)).data).toEqual([]);
  expect((await retry(fixture)).data).toEqual({ retried: 0 });
});

it('"Retry all" requests an unavailable list immediately, and is refused for a manually paused integration', async () => {
  const { fixture, failed } = await troubles();
  const set = (values: object) =>
    sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.updateTable('integrations').set(values).execute(),
    );
  await set({ is_active: false, pause_reason: 'by_hand' });
  expect(await retry(fixture)).toMatchObject({ status: 409, data: { code: 'integration.paused' } });
  await set({ pause_reason: 'unavailable', unavailable_since: new Date().toISOString(), next_check_at: '2100-01-01T00:00:00.000Z' });
  expect((await retry(fixture)).status).toBe(202);
  await eventually(() => expect(nameOf(failed.task_id)).toBe('Failed'));
});

it.each([
  ['GET', listSyncProblems],
  ['POST', retryIntegration],
] as const)('%s is restricted to admins of the organization', async (_method, op) => {
  const fixture = await sync.aFixture();
  const input: Input = { params: { id: fixture.integration.id } };
  for (const role of ['manager', 'agent'] as const)
    expect((await sync.integrations.call(op, asStaff(fixture.organization, role), input)).status).toBe(403);
  expect((await sync.integrations.call(op, asToken(fixture.organization, 'tickets:read'), input)).status).toBe(403);
  expect((await sync.integrations.call(op, undefined, input)).status).toBeGreaterThanOrEqual(400);
  expect(await sync.integrations.call(op, asStaff(sync.integrations.anOrganization()), input)).toMatchObject({
    status: 404,
    data: { code: 'integration.not_found' },
  });
  expect((await sync.integrations.call(op, asStaff(fixture.organization), { params: { id: newId() } })).status).toBe(404);
  expect((await sync.integrations.call(op, asStaff(fixture.organization), { params: { id: 'nonsense' } })).status).toBe(422);
});

it('an unknown kind and an invalid cursor are refused', async () => {
  const fixture = await sync.aFixture();
  for (const query of [{ kind: 'fine' }, { cursor: 'x' }, { limit: '0' }, { other: '1' }])
    expect((await list(fixture, query as never)).status).toBe(422);
});
