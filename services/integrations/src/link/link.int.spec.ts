import {
  linkTicketTask,
  previewTaskLink,
  readTicketTask,
  searchTasks,
  syncTicketTask,
  unlinkTicketTask,
  type InputOf,
  type TaskChoice,
  type TaskLinkPreview,
  type TenantContext,
  type TicketTask,
} from '@tandem/contracts';
import { newId } from '@tandem/db';
import { eventually } from '@tandem/testing';
import { asCustomer, asStaff, type TestOrganization } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';
import type { IntegrationsTx } from '../schema';
import { LinkService } from './link.service';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

const none = JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] });
const byHand = () => sync.aFixture({ rules: none });
const call = <T = TicketTask>(
  op: Parameters<typeof sync.integrations.call>[0],
  organization: TestOrganization,
  id: string,
  body?: unknown,
) => sync.integrations.call<T>(op, asStaff(organization, 'manager'), { params: { id }, ...(body === undefined ? {} : { body }) });
const ask = <T = TaskLinkPreview>(
  op: Parameters<typeof sync.integrations.call>[0],
  organization: TestOrganization,
  id: string,
  query: Record<string, string>,
  role: 'agent' | 'manager' = 'agent',
) => sync.integrations.call<T>(op, asStaff(organization, role), { params: { id }, query });
/** A ticket whose copy has arrived, without a link. */
async function aTicket({ organization }: Fixture, overrides = {}) {
  const ticket = await sync.tickets.create(organization, overrides);
  await eventually(async () => {
    const copies = await sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('ticket_copies').select('ticket_id').where('ticket_id', '=', ticket.id).execute(),
    );
    expect(copies).toHaveLength(1);
  });
  return ticket;
}
const aTask = ({ list }: Fixture, name = 'Made by hand') => sync.integrations.clickup.person.createTask(list, { name });

describe('the task of a ticket', () => {
  it('is returned with the possible integrations, and not found by other organizations', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const { data } = await call<{ task: unknown; integrations: unknown[] }>(readTicketTask, fixture.organization, ticket.id);
    expect(data).toMatchObject({
      task: null,
      integrations: [{ id: fixture.integration.id, tool_name: 'ClickUp', list_name: fixture.list }],
    });
    const other = await call<{ integrations: unknown[] }>(readTicketTask, sync.integrations.anOrganization(), ticket.id);
    expect(other.data).toEqual({ task: null, integrations: [] });
    expect((await sync.integrations.call(readTicketTask, asCustomer(fixture.organization.id), { params: { id: ticket.id } })).status).toBe(
      401,
    );
  });

  it('includes a drafted reply once it is finished', async () => {
    const fixture = await sync.aFixture({ finished_reply: 'Dear {customer_name}, {ticket_number} {task_title} {nothing}' });
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(async () =>
      expect((await call<{ task: TicketTask }>(readTicketTask, fixture.organization, ticket.id)).data.task).toMatchObject({
        drafted_reply: `Dear Carla, ${ticket.ticket_number} ${ticket.subject} {nothing}`,
      }),
    );
  });
});

describe('linking manually', () => {
  it('creates a task', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const answer = await call(linkTicketTask, fixture.organization, ticket.id, { integration_id: fixture.integration.id });
    expect(answer).toMatchObject({ status: 201, data: { state: 'creating', is_pending: true } });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(sync.integrations.clickup.task(task_id)!.name).toBe(ticket.subject);
  });

  it('links an existing task: both keep their values, and later changes sync', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const task = aTask(fixture);
    const answer = await call(linkTicketTask, fixture.organization, ticket.id, {
      integration_id: fixture.integration.id,
      task: `https://app.clickup.com/t/${task.id}`,
    });
    expect(answer).toMatchObject({ status: 201, data: { state: 'linked', task_id: task.id, title: 'Made by hand' } });
    await eventually(() =>
      expect(sync.integrations.clickup.comments(task.id)).toMatchObject([
        { text: expect.stringContaining(`Linked to ticket ${ticket.ticket_number}`) as string },
      ]),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.task(task.id)!.name).toBe('Made by hand');
    expect(sync.changesSentTo(ticket)).toEqual([]);
    await sync.tickets.change(ticket.id, { priority: 'urgent' });
    await eventually(() => expect(sync.integrations.clickup.task(task.id)).toMatchObject({ priority: 1, name: 'Made by hand' }));
  });

  it('links only tasks of the organization’s own lists, through the integration of the list', async () => {
    const fixture = await byHand();
    const { clickup } = sync.integrations;
    clickup.addList('Support', 'Salaries');
    clickup.addList('Support', 'Second list');
    const other = await sync.integrations.anIntegration(fixture.connection, { list: 'Second list', rules: none });
    const link = (ticket: { id: string }, task: string) =>
      call(linkTicketTask, fixture.organization, ticket.id, { integration_id: fixture.integration.id, task });
    const ticket = await aTicket(fixture);
    const secret = clickup.person.createTask('Salaries', { name: 'Nobody’s business' });
    const answer = await link(ticket, secret.id);
    expect(answer).toMatchObject({ status: 409, data: { code: 'task.not_in_list' } });
    expect(JSON.stringify(answer.data)).not.toContain('Nobody’s business');
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toBeUndefined();
    const { id } = clickup.person.createTask('Second list', { name: 'Ours' });
    expect(await link(ticket, id)).toMatchObject({ status: 201, data: { integration_id: other.id, title: 'Ours' } });
    // A task unchanged since then cannot have lost a comment.
    expect((await sync.integrations.findLink(fixture.organization, ticket.id))?.comments_read_until).toEqual(expect.any(String));
  });

  it('and unlinking are allowed for agents, who may change every ticket, but not for customers', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const input = { params: { id: ticket.id } };
    const body = { integration_id: fixture.integration.id, task: aTask(fixture).id };
    const agent = asStaff(fixture.organization, 'agent');
    expect((await sync.integrations.call(linkTicketTask, asCustomer(fixture.organization.id), { ...input, body })).status).toBe(401);
    expect((await sync.integrations.call(linkTicketTask, agent, { ...input, body })).status).toBe(201);
    expect((await sync.integrations.call(syncTicketTask, agent, input)).status).toBe(202);
    expect((await sync.integrations.call(unlinkTicketTask, asStaff(sync.integrations.anOrganization(), 'agent'), input)).status).toBe(404);
    expect((await sync.integrations.call(unlinkTicketTask, agent, input)).status).toBe(200);
  });

  it('is refused with the reason: not a task, deleted, hidden, archived, or a ticket that is already linked', async () => {
    const fixture = await byHand();
    const { clickup } = sync.integrations;
    const [one, other] = [await aTicket(fixture), await aTicket(fixture)];
    const integration_id = fixture.integration.id;
    const task = aTask(fixture).id;
    expect((await call(linkTicketTask, fixture.organization, one.id, { integration_id, task })).status).toBe(201);
    expect(await call(linkTicketTask, fixture.organization, one.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task.already_linked' },
    });
    const [deleted, archived] = [aTask(fixture).id, aTask(fixture).id];
    clickup.person.deleteTask(deleted);
    clickup.person.archive(archived);
    for (const [typed, status, code] of [
      ['https://example.com/t/1', 422, 'task.reference_invalid'],
      ['not a task', 422, 'task.reference_invalid'],
      ['86zzzzzzz', 404, 'task.no_access'],
      ['DEV-404', 404, 'task.no_access'],
      [deleted, 404, 'task.not_found'],
      [archived, 409, 'task.archived'],
    ] as const) {
      expect(await call(linkTicketTask, fixture.organization, other.id, { integration_id, task: typed })).toMatchObject({
        status,
        data: { code },
      });
      const query = { integration_id, task: typed };
      expect((await ask(previewTaskLink, fixture.organization, other.id, query)).data.code).toBe(code);
    }
    expect(await call(linkTicketTask, fixture.organization, other.id, { integration_id, task: '' })).toMatchObject({
      status: 422,
      data: { errors: [{ path: 'task' }] },
    });
    expect(await sync.integrations.findLink(fixture.organization, other.id)).toBeUndefined();
  });

  it('accepts the ids and URLs that users know', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const task = aTask(fixture);
    sync.integrations.clickup.person.setCustomId(task.id, 'DEV-123');
    const { workspace_id, id: integration_id } = fixture.integration;
    for (const typed of ['DEV-123', `https://app.clickup.com/t/${workspace_id}/DEV-123`, `#${task.id}`]) {
      expect(await call(linkTicketTask, fixture.organization, ticket.id, { integration_id, task: typed })).toMatchObject({
        status: 201,
        data: { task_id: task.id },
      });
      expect((await call(unlinkTicketTask, fixture.organization, ticket.id)).status).toBe(200);
    }
  });

  it('is refused if ticket or integration are unknown, paused or broken, or the tool does not answer', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const integration_id = fixture.integration.id;
    expect(await call(linkTicketTask, fixture.organization, newId(), { integration_id })).toMatchObject({
      status: 404,
      data: { code: 'ticket.not_found' },
    });
    expect(await call(linkTicketTask, fixture.organization, ticket.id, { integration_id: newId() })).toMatchObject({
      status: 404,
      data: { code: 'integration.not_found' },
    });
    expect(await call(linkTicketTask, sync.integrations.anOrganization(), ticket.id, { integration_id })).toMatchObject({ status: 404 });
    sync.integrations.clickup.faults.disconnect({ method: 'GET', path: '/task/' });
    expect(await call(linkTicketTask, fixture.organization, ticket.id, { integration_id, task: aTask(fixture).id })).toMatchObject({
      status: 503,
      data: { code: 'task_tool.unreachable' },
    });
    await change(fixture, 'integrations', { is_active: false, pause_reason: 'by_hand' });
    expect(await call(linkTicketTask, fixture.organization, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'integration.paused' },
    });
    await change(fixture, 'connections', { state: 'broken' });
    expect(await call(linkTicketTask, fixture.organization, ticket.id, { integration_id })).toMatchObject({
      status: 409,
      data: { code: 'task_tool.broken' },
    });
  });

  it('asks to retry while the tickets of a new connection are being exported', async () => {
    const fixture = await byHand();
    await change(fixture, 'connections', { tickets_exported: false });
    const answer = await call(linkTicketTask, fixture.organization, newId(), { integration_id: fixture.integration.id });
    expect(answer).toMatchObject({ status: 503, data: { code: 'service.unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  const change = ({ organization }: Fixture, table: 'integrations' | 'connections', values: object) =>
    sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx
        .updateTable(table)
        .set(values as never)
        .execute(),
    );
});

describe('a ticket that was just created, whose copy has not arrived', () => {
  /** The use cases of the service, with a count of the times that they have looked for the copy; `arrive` is called after the first look. */
  function aService(arrive: () => Promise<unknown> = () => Promise.resolve()) {
    const { db } = sync.integrations;
    const looks = { count: 0 };
    const counting = {
      forTenant: db.forTenant.bind(db),
      readTenant: async (...args: Parameters<typeof db.readTenant>) => {
        const found = await db.readTenant(...args);
        looks.count += 1;
        if (looks.count === 1) await arrive();
        return found;
      },
    };
    const jobs = { add: () => undefined };
    return { service: new LinkService(counting as never, jobs as never, undefined as never, undefined as never), looks };
  }

  it('is linked as soon as its copy arrives', async () => {
    const fixture = await byHand();
    const { organization, integration } = fixture;
    const { id } = await aTicket(fixture);
    const inTenant = <T>(work: (tx: IntegrationsTx) => Promise<T>) =>
      sync.integrations.db.forTenant({ organization_id: organization.id }, work);
    const copy = await inTenant((tx) =>
      tx.deleteFrom('ticket_copies').where('ticket_id', '=', id).returningAll().executeTakeFirstOrThrow(),
    );
    const { service } = aService(() => inTenant((tx) => tx.insertInto('ticket_copies').values(copy).execute()));
    const ctx = asStaff(organization, 'agent') as TenantContext;
    const input = { params: { id }, body: { integration_id: integration.id } } as InputOf<typeof linkTicketTask>;
    expect(await service.link(ctx, input)).toMatchObject({ state: 'creating' });
  });

  it('does not exist if no copy arrives within a second', async () => {
    const { organization, integration } = await byHand();
    const { service, looks } = aService();
    const input = { params: { id: newId() }, query: { integration_id: integration.id, words: 'printer' } } as InputOf<typeof searchTasks>;
    await expect(service.search(asStaff(organization), input)).rejects.toMatchObject({ code: 'ticket.not_found' });
    expect(looks.count).toBeGreaterThan(1);
  });
});

describe('searching tasks by words', () => {
  it('returns only those of the chosen list, with the number of tickets of each', async () => {
    const fixture = await byHand();
    const { clickup } = sync.integrations;
    clickup.addList('Support', 'Board meeting');
    clickup.person.createTask('Board meeting', { name: 'Printer budget' });
    const [open, archived] = [aTask(fixture, 'Printer on fire'), aTask(fixture, 'Old printer')];
    clickup.person.archive(archived.id);
    aTask(fixture, 'Something else');
    const [ticket, other] = [await aTicket(fixture), await aTicket(fixture)];
    const integration_id = fixture.integration.id;
    await call(linkTicketTask, fixture.organization, other.id, { integration_id, task: open.id });
    const found = await ask<TaskChoice[]>(searchTasks, fixture.organization, ticket.id, { integration_id, words: 'PRINTER' });
    expect(found).toMatchObject({ status: 200, data: [{ id: open.id, title: 'Printer on fire', tickets: 1 }] });
    expect(found.data).toHaveLength(1);
  });

  it('is refused without search words, for other roles, other organizations and unknown lists', async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture);
    const query = { integration_id: fixture.integration.id, words: 'printer' };
    expect((await ask(searchTasks, fixture.organization, ticket.id, { ...query, words: ' ' })).status).toBe(422);
    expect((await ask(searchTasks, fixture.organization, ticket.id, { words: 'printer' })).status).toBe(422);
    expect((await ask(searchTasks, sync.integrations.anOrganization(), ticket.id, query)).status).toBe(404);
    expect((await ask(searchTasks, fixture.organization, newId(), query)).data.code).toBe('ticket.not_found');
    expect((await ask(searchTasks, fixture.organization, ticket.id, { ...query, integration_id: newId() })).data.code).toBe(
      'integration.not_found',
    );
    expect(
      (await sync.integrations.call(searchTasks, asCustomer(fixture.organization.id), { params: { id: ticket.id }, query })).status,
    ).toBe(401);
    sync.integrations.clickup.faults.disconnect({ method: 'GET', path: '/list/' });
    expect((await ask(searchTasks, fixture.organization, ticket.id, query)).data.code).toBe('task_tool.unreachable');
  });
});

describe('if ticket and task differ when they are linked', () => {
  const differing = async () => {
    const fixture = await byHand();
    const ticket = await aTicket(fixture, { subject: 'Customer’s words', priority: 'urgent', status: 'open' });
    const task = sync.integrations.clickup.person.createTask(fixture.list, {
      name: 'Engineer’s words',
      priority: 4,
      status: 'In Progress',
    });
    const input = { integration_id: fixture.integration.id, task: task.id };
    return { fixture, ticket, task, input };
  };

  it('the differences are shown, and nothing changes', async () => {
    const { fixture, ticket, task, input } = await differing();
    const { status, data } = await ask(previewTaskLink, fixture.organization, ticket.id, input);
    expect(status).toBe(200);
    expect(data.task).toMatchObject({ id: task.id, title: 'Engineer’s words', tool_name: 'ClickUp', list_name: fixture.list, tickets: 0 });
    expect(data.differences).toEqual(
      expect.arrayContaining([
        { field: 'status', direction: 'both', ticket: 'Open', task: 'In Progress' },
        { field: 'priority', direction: 'both', ticket: 'Urgent', task: 'Low' },
        { field: 'title', direction: 'both', ticket: 'Customer’s words', task: 'Engineer’s words' },
      ]),
    );
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toBeUndefined();
    expect((await ask(previewTaskLink, sync.integrations.anOrganization(), ticket.id, input)).status).toBe(404);
    expect(
      (await sync.integrations.call(previewTaskLink, asCustomer(fixture.organization.id), { params: { id: ticket.id }, query: input }))
        .status,
    ).toBe(401);
    expect((await ask(previewTaskLink, fixture.organization, ticket.id, { integration_id: input.integration_id })).status).toBe(422);
  });

  it('the ticket wins', async () => {
    const { fixture, ticket, task, input } = await differing();
    expect((await call(linkTicketTask, fixture.organization, ticket.id, { ...input, winner: 'ticket' })).status).toBe(201);
    await eventually(() =>
      expect(sync.integrations.clickup.task(task.id)).toMatchObject({ name: 'Customer’s words', priority: 1, status: 'To Do' }),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.changesSentTo(ticket)).toEqual([]);
    expect(sync.integrations.clickup.task(task.id)!.description).toContain('It began at noon');
  });

  it('the task wins', async () => {
    const { fixture, ticket, task, input } = await differing();
    sync.integrations.clickup.clearLog();
    expect((await call(linkTicketTask, fixture.organization, ticket.id, { ...input, winner: 'task' })).status).toBe(201);
    await eventually(() =>
      expect(sync.tickets.get(ticket.id)).toMatchObject({ subject: 'Engineer’s words', priority: 'low', status: 'in_progress' }),
    );
    await sync.whenIdle(fixture, ticket);
    expect(sync.integrations.clickup.task(task.id)).toMatchObject({ name: 'Engineer’s words', priority: 4, status: 'In Progress' });
    expect(sync.calls.filter((each) => each.startsWith('PUT'))).toEqual([]);
  });
});

describe('unlinking manually', () => {
  it('changes neither side, and no other task is created automatically', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    expect((await call(unlinkTicketTask, fixture.organization, ticket.id)).status).toBe(200);
    expect((await call(unlinkTicketTask, fixture.organization, ticket.id)).data.code).toBe('task.not_linked');
    const events = await sync.integrations.events(ticket.id);
    expect(events.at(-1)).toMatchObject({ type: 'task.unlinked', data: { task_id, reason: 'by_hand' } });
    const other = await sync.aLinkedTicket(fixture);
    await sync.tickets.change(ticket.id, { subject: 'Alone' });
    sync.integrations.clickup.person.rename(task_id, 'Alone too');
    await sync.tickets.change(other.ticket.id, { subject: 'Together' });
    await eventually(() => expect(sync.integrations.clickup.task(other.task_id)!.name).toBe('Together'));
    expect(sync.integrations.clickup.tasks(fixture.list)).toHaveLength(2);
    expect(sync.tickets.get(ticket.id).subject).toBe('Alone');
    expect((await call(linkTicketTask, fixture.organization, ticket.id, { integration_id: fixture.integration.id })).status).toBe(201);
    expect((await sync.whenSynced(fixture, ticket)).task_id).not.toBe(task_id);
  });
});

describe('syncing manually', () => {
  it('reads the task regardless of webhooks, and retries a stopped link', async () => {
    const fixture = await sync.aFixture();
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.dropDeliveries(50);
    sync.integrations.clickup.person.rename(task_id, 'Nobody was told');
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('links')
        .set({ state: 'stopped', problem: 'A circle' } as object)
        .execute(),
    );
    expect(await call(syncTicketTask, fixture.organization, ticket.id)).toMatchObject({
      status: 202,
      data: { state: 'linked', is_pending: true, problem: null },
    });
    await eventually(() => expect(sync.tickets.get(ticket.id).subject).toBe('Nobody was told'));
    expect(await call(syncTicketTask, fixture.organization, newId())).toMatchObject({ status: 404, data: { code: 'task.not_linked' } });
  });
});
