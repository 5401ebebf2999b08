import { listIntegrations, readTicketTask, syncTicketTask, type Integration, type Ticket, type TicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({ TASK_TOOL_TIMEOUT_MS: '1000', SYNC_LEASE_MS: '1000' });
});
afterEach(async () => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});
const { stringContaining } = expect;
const post = { method: 'POST', path: /\/list\/\d+\/task$/ };
const put = { method: 'PUT', path: '/task/' };
const postComment = { method: 'POST', path: /\/comment$/ };
const differs = async (fixture: Fixture, { id }: Ticket) => {
  const { data } = await sync.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(fixture.organization), { params: { id } });
  return { differs: data.task.differs, problem: data.task.problem };
};
const connectionOf = async (fixture: Fixture) => (await sync.integrations.findConnection(fixture.organization))!;

describe('a lost response', () => {
  it.each(['loseAnswer', 'disconnect', 'hang'] as const)('to creating a task (%s) creates no second task', async (fault) => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.faults[fault](post);
    const ticket = await sync.tickets.create(fixture.organization);
    await sync.whenSynced(fixture, ticket);
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1);
  });

  it('to creating a task loses no change that the ticket made in the meantime', async () => {
    const fixture = await sync.aFixture();
    sync.integrations.clickup.faults.loseAnswer(post);
    const ticket = await sync.tickets.create(fixture.organization);
    await eventually(() => expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(1));
    await sync.tickets.change(ticket.id, { subject: 'Changed meanwhile' });
    await eventually(() => expect(sync.integrations.clickup.tasks(fixture.list)).toMatchObject([{ name: 'Changed meanwhile' }]));
  });

  it.each(['loseAnswer', 'disconnect', 'hang'] as const)('to posting a comment (%s) posts nothing twice', async (fault) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.faults[fault](postComment);
    await sync.tickets.comment(ticket.id, 'Once');
    await sync.tickets.comment(ticket.id, 'Then this');
    await eventually(() => expect(sync.integrations.clickup.comments(task_id)).toHaveLength(2));
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.comments(task_id).map(({ text }) => text)).toEqual([
      stringContaining('Once'),
      stringContaining('Then this'),
    ]);
    expect(await sync.integrations.eventTypes(ticket.id)).not.toContain('task.comment_received');
  });
});

describe('a "not found" response', () => {
  it.each([put, postComment])('does not count the task as deleted while it can be read (%j)', async (aim) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(404, 'X', aim);
    await sync.tickets.change(ticket.id, { subject: 'Still there' });
    await sync.tickets.comment(ticket.id, 'Still here');
    await eventually(() => {
      expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'Still there' });
      expect(sync.integrations.clickup.comments(task_id)).toMatchObject([{ text: stringContaining('Still here') }]);
    });
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.faults.waiting).toBe(0);
  });
});

describe('a comment that a webhook reported and that is not found', () => {
  const none = { status: 200, body: { comments: [] } };
  const read = { method: 'GET', path: /\/comment$/ };

  it('is searched again', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.faults.answer(none, { ...read, times: 2 });
    sync.integrations.clickup.person.comment(task_id, 'Late');
    await eventually(async () => expect(await sync.integrations.eventTypes(ticket.id)).toContain('task.comment_received'));
    await sync.whenIdle(fixture, ticket);
    expect((await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('is given up after three attempts, and logged', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.holdDeliveries();
    sync.integrations.clickup.person.deleteComment(sync.integrations.clickup.person.comment(task_id, 'Never said'));
    sync.integrations.clickup.releaseDeliveries();
    await eventually(async () =>
      expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
        expect.objectContaining({ level: 'warning', message: stringContaining('was not found on the task') }),
      ),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls.filter((call) => call === 'GET /v2/task/{task_id}/comment')).toHaveLength(3);
  });
});

describe('a failing tool', () => {
  it.each([
    [500, 'ITEMV2_003'],
    [503, 'X'],
  ])('that responds %s is called again after a pause, and receives every change', async (status, code) => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(status, code, { ...put, times: 2 });
    await sync.tickets.change(ticket.id, { subject: 'Persistent' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Persistent'));
    await sync.whenSynced(fixture, ticket);
    expect(sync.calls.filter((call) => call.startsWith('PUT'))).toHaveLength(3);
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ attempts: 0, problem: null });
  });
});

describe('a rate limit', () => {
  it('that is used up delays calls until its reset, and nothing is lost', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const reset = Math.ceil(Date.now() / 1_000) + 2;
    const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    sync.integrations.clickup.faults.answer({ status: 429, body: { err: 'Rate limit reached', ECODE: 'APP_002' }, headers }, put);
    await sync.tickets.change(ticket.id, { subject: 'Patient' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Patient'));
    const puts = sync.integrations.clickup.requests.filter(({ method }) => method === 'PUT');
    expect(puts).toHaveLength(2);
    expect(puts[1]!.at).toBeGreaterThanOrEqual(reset * 1_000);
  });
});

describe('a 401', () => {
  it('about one task, with a valid token, fails that task only', async () => {
    const fixture = await sync.aFixture();
    const [one, other] = [await sync.aLinkedTicket(fixture), await sync.aLinkedTicket(fixture)];
    sync.integrations.clickup.failNext(401, 'OAUTH_027', { method: 'PUT', path: one.task_id });
    await sync.tickets.change(one.ticket.id, { subject: 'Not to be seen' });
    await sync.tickets.change(other.ticket.id, { subject: 'Goes on' });
    await eventually(() => expect(sync.integrations.clickup.task(other.task_id)!.name).toBe('Goes on'));
    await eventually(async () =>
      expect(await sync.integrations.findLink(fixture.organization, one.ticket.id)).toMatchObject({ state: 'failed', next_sync_at: null }),
    );
    expect(await connectionOf(fixture)).toMatchObject({ state: 'connected' });
  });

  it.each(['OAUTH_019', 'OAUTH_021', 'OAUTH_025', 'OAUTH_077'])(
    'for everything (%s) marks the connection as broken, once, and keeps the waiting changes',
    async (code) => {
      const token = sync.integrations.clickup.issueToken();
      const fixture = await sync.aFixture({ token });
      const { ticket, task_id } = await sync.aLinkedTicket(fixture);
      sync.integrations.clickup.revokeToken(token, code);
      await sync.tickets.change(ticket.id, { subject: 'Waits for a token' });
      await eventually(async () => expect(await connectionOf(fixture)).toMatchObject({ state: 'broken' }));
      expect(await sync.integrations.findIntegrations(fixture.organization)).toMatchObject([
        { is_active: false, pause_reason: 'connection_broken' },
      ]);
      expect((await sync.integrations.events(fixture.connection.id)).map(({ type, data }) => [type, data.problem])).toEqual([
        ['task.sync_failed', 'connection_broken'],
      ]);
      expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({
        state: 'linked',
        next_sync_at: expect.any(String) as string,
      });
      expect(sync.integrations.clickup.task(task_id)!.name).toBe(ticket.subject);
    },
  );
});

describe('a field that the tool refuses', () => {
  it('is logged and differs until it is accepted, while the other fields sync', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(400, 'CRTSK_001', put);
    await sync.tickets.change(ticket.id, { subject: 'Arrives', status: 'resolved' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'Arrives', status: 'To Do' }));
    await sync.whenIdle(fixture, ticket);
    expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
      expect.objectContaining({ level: 'warning', field: 'status', direction: 'to_task' }),
    );
    expect(await differs(fixture, ticket)).toEqual({
      differs: [{ field: 'status', reason: 'The ClickUp list has no such status' }],
      problem: 'Differs: Status. The ClickUp list has no such status.',
    });
    await sync.tickets.change(ticket.id, { status: 'closed' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ status: 'Closed' }));
    await sync.whenIdle(fixture, ticket);
    expect(await differs(fixture, ticket)).toEqual({ differs: [], problem: null });
  });

  /** A ticket and task whose title the tool has refused once. */
  async function aRefusedTitle() {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(400, 'INPUT_005', put);
    await sync.tickets.change(ticket.id, { subject: 'Refused once' });
    await eventually(async () => expect(await differs(fixture, ticket)).toMatchObject({ differs: [{ field: 'title' }] }));
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.task(task_id)!.name).toBe(ticket.subject);
    const sent = () => eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe('Refused once'));
    return { fixture, ticket, task_id, sent };
  }
  const checkList = ({ organization }: Fixture) =>
    sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.updateTable('integrations').set({ next_check_at: new Date().toISOString() }).execute(),
    );
  const whenChecked = ({ organization }: Fixture) =>
    eventually(async () => {
      const [integration] = await sync.integrations.findIntegrations(organization);
      expect(Date.parse(integration!.next_check_at)).toBeGreaterThan(Date.now() + 60_000);
    });

  it('is sent again with the next change of another field', async () => {
    const { ticket, sent } = await aRefusedTitle();
    await sync.tickets.change(ticket.id, { priority: 'urgent' });
    await sent();
  });

  it('is sent again by "Sync now"', async () => {
    const { fixture, ticket, sent } = await aRefusedTitle();
    await sync.integrations.call(syncTicketTask, asStaff(fixture.organization), { params: { id: ticket.id } });
    await sent();
    await sync.whenIdle(fixture, ticket);
    expect(await differs(fixture, ticket)).toEqual({ differs: [], problem: null });
  });

  it('is sent again by a sweep once its retry is due, and not before', async () => {
    const { fixture, ticket, task_id, sent } = await aRefusedTitle();
    await checkList(fixture);
    await whenChecked(fixture);
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.task(task_id)!.name).toBe(ticket.subject);
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('links')
        .set({ shadow: sql<string>`jsonb_set(shadow, '{title,refused,retry_at}', '"2026-01-01T00:00:00.000Z"')` })
        .execute(),
    );
    await checkList(fixture);
    await sent();
  });

  it('counts in the health of its integration', async () => {
    const { fixture } = await aRefusedTitle();
    const { data } = await sync.integrations.call<Integration[]>(listIntegrations, asStaff(fixture.organization));
    expect(data).toMatchObject([
      { health: 'attention', differing_count: 1, health_detail: stringContaining('One ticket differs from its task') },
    ]);
  });

  it('because its status was renamed is sent under the new name', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.renameStatus(fixture.list, 'Review', 'In Review');
    await sync.tickets.change(ticket.id, { status: 'waiting_for_customer', subject: 'With a new status' });
    await eventually(() =>
      expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'With a new status', status: 'In Review' }),
    );
    await sync.whenIdle(fixture, ticket);
    expect(await differs(fixture, ticket)).toEqual({ differs: [], problem: null });
    expect((await sync.integrations.findIntegrations(fixture.organization))[0]!.status_mappings).toMatchObject({
      waiting_for_customer: 'In Review',
    });
  });
});

describe('two automations that trigger each other', () => {
  it('are stopped, and an admin is notified', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const { organization } = fixture;
    await eventually(
      async () => {
        const link = await sync.integrations.findLink(organization, ticket.id);
        if (link?.state !== 'stopped') sync.integrations.clickup.person.rename(task_id, `Round ${Date.now()}`);
        expect(link).toMatchObject({ state: 'stopped', next_sync_at: null });
      },
      { everyMs: 25, timeoutMs: 60_000 },
    );
    const alarms = (await sync.integrations.events(fixture.integration.id)).filter(({ type }) => type === 'task.sync_failed');
    expect(alarms.map(({ data }) => data)).toMatchObject([{ problem: 'loop', ticket_id: ticket.id }]);
  });
});

describe('an outage', () => {
  it.each([
    { webhooks: 'are lost', reactivating: 0 },
    // The webhook is reactivated (one call), and the whole list is read in addition to its changes (two).
    { webhooks: 'fail', reactivating: 3 },
  ])(
    'costs one call for each change that remains, and duplicates nothing, if webhooks $webhooks',
    async (given) => {
      const token = sync.integrations.clickup.issueToken();
      const fixture = await sync.aFixture({ token });
      const made = await Promise.all(Array.from({ length: 25 }, () => sync.tickets.create(fixture.organization)));
      const pairs: { ticket: Ticket; task_id: string }[] = [];
      for (const ticket of made) pairs.push({ ticket, task_id: (await sync.whenSynced(fixture, ticket)).task_id });
      await sync.whenIdle(fixture, made[0]!);
      await sync.integrations.clickup.deliveriesSettled();
      await sync.integrations.clickup.away();
      for (const { ticket } of pairs) {
        await sync.tickets.change(ticket.id, { subject: `First of ${ticket.id}` });
        await sync.tickets.change(ticket.id, { subject: `Last of ${ticket.id}` });
      }
      await Promise.all(pairs.map(({ ticket }) => sync.tickets.comment(ticket.id, 'While it was away')));
      const fresh = await Promise.all(Array.from({ length: 5 }, () => sync.tickets.create(fixture.organization)));
      // Two webhooks for each of the five changes.
      if (given.webhooks === 'are lost') sync.integrations.clickup.dropDeliveries(10);
      for (const { task_id } of pairs.slice(20, 25)) sync.integrations.clickup.person.setPriority(task_id, 1);
      await sync.integrations.clickup.deliveriesSettled();
      await eventually(async () => expect(await connectionOf(fixture)).toMatchObject({ block_reason: 'unreachable' }));
      sync.integrations.clickup.clearLog();
      await sync.integrations.clickup.back();
      for (const { ticket, task_id } of pairs)
        await eventually(() => expect(sync.integrations.clickup.task(task_id)!.name).toBe(`Last of ${ticket.id}`));
      for (const { ticket } of pairs.slice(20, 25)) await eventually(() => expect(sync.tickets.get(ticket.id).priority).toBe('urgent'));
      for (const ticket of [...pairs.map((pair) => pair.ticket), ...fresh]) await sync.whenIdle(fixture, ticket);
      expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(pairs.length + fresh.length);
      for (const { task_id } of pairs) expect(sync.integrations.clickup.comments(task_id)).toHaveLength(1);
      const calls = sync.callsWith(token);
      const counts = Object.fromEntries([...Map.groupBy(calls, (call) => call)].map(([call, { length }]) => [call, length]));
      expect(counts).toMatchObject({
        'PUT /v2/task/{task_id}': pairs.length,
        'POST /v2/task/{task_id}/comment': pairs.length,
        'POST /v2/list/{list_id}/task': fresh.length,
      });
      // No webhook reported the changes made in the tool in the meantime, so the comments of those five tasks are read too; and those of
      // tasks that were changed before the check of the list and whose webhook is processed after it, each once.
      const commentReads = counts['GET /v2/task/{task_id}/comment'] ?? 0;
      expect(commentReads).toBeGreaterThanOrEqual(5);
      expect(commentReads).toBeLessThanOrEqual(pairs.length + fresh.length);
      const fewest = 2 * pairs.length + fresh.length;
      const isMore = calls.length - commentReads - given.reactivating > Math.ceil(fewest * 1.1);
      expect(isMore ? counts : 'at most 10 % more').toBe('at most 10 % more');
    },
    180_000,
  );
});
