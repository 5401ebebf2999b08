import { linkTicketTask, readTicketTask, syncTicketTask, unlinkTicketTask, type Ticket, type TicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';
import type { LinkRow } from '../schema';
import { handOverPrimary } from './sharing.store';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open();
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});

const byHand = () => sync.aFixture({ rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }) });
const asAgent = (fixture: Fixture, op: Parameters<typeof sync.integrations.call>[0], id: string, body?: unknown) =>
  sync.integrations.call<TicketTask>(op, asStaff(fixture.organization, 'agent'), {
    params: { id },
    ...(body === undefined ? {} : { body }),
  });
const link = async (fixture: Fixture, ticket: Ticket, task: string) => {
  await eventually(async () =>
    expect(await asAgent(fixture, linkTicketTask, ticket.id, { integration_id: fixture.integration.id, task })).toMatchObject({
      status: 201,
      data: { task_id: task },
    }),
  );
};
const read = async (fixture: Fixture, ticket: Ticket) =>
  (
    await sync.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(fixture.organization, 'agent'), {
      params: { id: ticket.id },
    })
  ).data.task;
const task = (id: string) => sync.integrations.clickup.task(id)!;
const reminders = ({ id }: Ticket) => sync.tickets.received.filter(({ ticket_id, finished }) => ticket_id === id && finished === true);
const notes = async ({ id }: Ticket) =>
  (await sync.integrations.events(id)).filter(({ type }) => type === 'task.comment_received').map(({ data }) => data.content as string);

/** Tickets of several customers, linked to one task one after the other, with all work done and an empty call log. */
async function shared(fixture: Fixture, count: number): Promise<{ tickets: Ticket[]; task_id: string }> {
  const { id: task_id } = sync.integrations.clickup.person.createTask(fixture.list, { name: 'One bug' });
  const tickets: Ticket[] = [];
  for (let i = 0; i < count; i += 1) {
    const ticket = await sync.tickets.create(fixture.organization, { customer_email: `customer${i}@example.com`, subject: `Report ${i}` });
    await link(fixture, ticket, task_id);
    tickets.push(ticket);
  }
  await calm(fixture, tickets);
  sync.integrations.clickup.clearLog();
  return { tickets, task_id };
}
const setLink = ({ organization }: Fixture, { id }: Ticket, values: Partial<Pick<LinkRow, 'state' | 'listed_tickets'>>) =>
  sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx
      .updateTable('links')
      .set(values as object)
      .where('ticket_id', '=', id)
      .execute(),
  );
async function calm(fixture: Fixture, tickets: Ticket[]): Promise<void> {
  for (const ticket of tickets) await sync.whenIdle(fixture, ticket);
}

describe('several tickets that share a task', () => {
  it('are counted and listed in the task’s description, below its own text, and on each ticket', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    expect(task(task_id).description).toContain('3 customers in 3 tickets');
    for (const { ticket_number, id } of tickets) {
      expect(task(task_id).description.replaceAll('\\', '')).toContain(ticket_number);
      expect(task(task_id).description).toContain(`/tickets/${id}`);
    }
    expect((await read(fixture, one)).sharing).toMatchObject({ is_primary: true, tickets: 3, customers: 3 });
    expect((await read(fixture, three)).sharing).toEqual({
      is_primary: false,
      tickets: 3,
      customers: 3,
      others: [
        { id: one.id, ticket_number: one.ticket_number, subject: 'Report 0', is_primary: true },
        { id: two.id, ticket_number: two.ticket_number, subject: 'Report 1', is_primary: false },
      ],
    });
  });

  it('are counted if the description has no room to list them all', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 4);
    const limit = 256_000;
    const text = 'word '.repeat((limit - 400) / 5).trim();
    sync.integrations.clickup.person.describe(task_id, text);
    await calm(fixture, tickets);
    const ticket = await sync.tickets.create(fixture.organization, { customer_email: 'customer9@example.com' });
    await link(fixture, ticket, task_id);
    await eventually(() => expect(task(task_id).description).toContain('5 customers in 5 tickets'));
    const { description } = task(task_id);
    expect(description.startsWith(text)).toBe(true);
    expect(Buffer.byteLength(description)).toBeLessThanOrEqual(limit);
    const listed = tickets.slice(1).filter(({ id }) => description.includes(id)).length;
    expect(listed).toBeLessThan(4);
    expect(description).toContain(`and ${4 - listed} more`);
    await calm(fixture, [...tickets, ticket]);
    const problems = (await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level !== 'info');
    expect(problems).toEqual([]);
  });

  it('each get the reminder when the task is finished, for one call at most', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 5);
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(() => expect(tickets.map((ticket) => reminders(ticket).length)).toEqual([1, 1, 1, 1, 1]));
    await calm(fixture, tickets);
    expect(sync.calls.filter((call) => call === 'GET /v2/task/{task_id}').length).toBeLessThanOrEqual(1);
    expect(sync.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
    expect((await read(fixture, tickets[4]!)).drafted_reply).toContain('Report 4');
  });

  it('adopt the progress of the task, and do not change its status or each other’s', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    await sync.tickets.change(one.id, { status: 'resolved' });
    await sync.tickets.change(two.id, { status: 'waiting_for_customer' });
    await calm(fixture, tickets);
    expect(task(task_id).status).toBe('To Do');
    sync.integrations.clickup.person.setStatus(task_id, 'In Progress');
    await eventually(() => expect(sync.tickets.get(three.id).status).toBe('in_progress'));
    await calm(fixture, tickets);
    // The status of a ticket whose customer was asked or helped does not change.
    expect([one, two].map(({ id }) => sync.tickets.get(id).status)).toEqual(['resolved', 'waiting_for_customer']);
    sync.integrations.clickup.person.setStatus(task_id, 'Review');
    await calm(fixture, tickets);
    expect(sync.tickets.get(three.id).status).toBe('in_progress');
    expect(sync.calls.filter((call) => call.startsWith('PUT'))).toEqual([]);
  });

  it('sync title and priority with the primary ticket only, without a loop', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    sync.integrations.clickup.person.rename(task_id, 'Named by an engineer');
    await eventually(() => expect(sync.tickets.get(one.id).subject).toBe('Named by an engineer'));
    await sync.tickets.change(two.id, { subject: 'Of the second customer', priority: 'urgent' });
    await calm(fixture, tickets);
    expect(task(task_id)).toMatchObject({ name: 'Named by an engineer', priority: null });
    expect(sync.tickets.get(three.id).subject).toBe('Report 2');
    sync.integrations.clickup.clearLog();
    await sync.tickets.change(one.id, { priority: 'high' });
    await eventually(() => expect(task(task_id).priority).toBe(2));
    await calm(fixture, tickets);
    expect(sync.calls).toEqual(['PUT /v2/task/{task_id}']);
    expect([two, three].map(({ id }) => sync.tickets.get(id).priority)).toEqual(['urgent', three.priority]);
  });

  it('all get the comments of the task as notes, once and for one call, and none of each other’s comments', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 4);
    sync.integrations.clickup.person.comment(task_id, 'Fixed in the next release');
    await eventually(async () => expect(await Promise.all(tickets.map(notes))).toEqual(tickets.map(() => ['Fixed in the next release'])));
    await calm(fixture, tickets);
    expect(sync.calls).toEqual(['GET /v2/task/{task_id}/comment']);
    sync.integrations.clickup.clearLog();
    await sync.tickets.comment(tickets[2]!.id, 'It happens to me as well');
    await eventually(() => expect(sync.calls).toContain('POST /v2/task/{task_id}/comment'));
    await calm(fixture, tickets);
    const [posted] = sync.integrations.clickup.comments(task_id).filter(({ text }) => text.includes('as well'));
    expect(posted!.text).toContain(`${tickets[2]!.ticket_number} · `);
    await asAgent(fixture, syncTicketTask, tickets[0]!.id);
    await calm(fixture, tickets);
    for (const ticket of tickets) expect(await notes(ticket)).toEqual(['Fixed in the next release']);
  });

  it('stay in sync when the primary ticket is unlinked: the next one becomes primary, and the task lists it', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    expect((await asAgent(fixture, unlinkTicketTask, one.id)).status).toBe(200);
    await eventually(() => expect(task(task_id).description).toContain('2 customers in 2 tickets'));
    expect(task(task_id).description).not.toContain(one.id);
    expect((await read(fixture, two)).sharing).toMatchObject({ is_primary: true, tickets: 2 });
    await calm(fixture, [two, three]);
    // That alone copied nothing to the task.
    expect(task(task_id).name).toBe('One bug');
    await sync.tickets.change(two.id, { subject: 'Of the second customer' });
    await eventually(() => expect(task(task_id).name).toBe('Of the second customer'));
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(() => expect([two, three].map((ticket) => reminders(ticket).length)).toEqual([1, 1]));
    expect(reminders(one)).toEqual([]);
    await calm(fixture, [two, three]);
    expect((await asAgent(fixture, unlinkTicketTask, three.id)).status).toBe(200);
    await eventually(() => expect(task(task_id).description).not.toContain('customers'));
    expect(task(task_id).description).toContain(two.id);
  });

  it('are all marked when the task is deleted', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    sync.integrations.clickup.person.deleteTask(task_id);
    await eventually(async () => {
      for (const ticket of tickets) expect((await read(fixture, ticket)).state).toBe('gone');
    });
    for (const ticket of tickets)
      expect((await sync.integrations.events(ticket.id)).at(-1)).toMatchObject({
        type: 'task.unlinked',
        data: { reason: 'task_deleted' },
      });
  });

  it('still receive changes after the sync of the primary ticket was stopped', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    const often = { hour_writes: 120, hour_window_start: new Date().toISOString() };
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.updateTable('links').set(often).where('ticket_id', '=', one.id).execute(),
    );
    await sync.tickets.change(one.id, { subject: 'Once too often' });
    await eventually(async () => expect((await read(fixture, one)).state).toBe('stopped'));
    expect((await read(fixture, two)).sharing.is_primary).toBe(true);
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    await eventually(() => expect([two, three].map((ticket) => reminders(ticket).length)).toEqual([1, 1]));
  });

  it('leave the list of tickets to the next primary ticket if the first one failed before it was written', async () => {
    const fixture = await byHand();
    const { tickets } = await shared(fixture, 3);
    const [one, two] = tickets as [Ticket, Ticket, Ticket];
    await setLink(fixture, one, { listed_tickets: 'rewrite 1', state: 'failed' });
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, async (tx) =>
      handOverPrimary(tx, (await sync.integrations.findLink(fixture.organization, one.id))!),
    );
    expect((await asAgent(fixture, syncTicketTask, one.id)).status).toBe(202);
    await calm(fixture, tickets);
    expect((await read(fixture, one)).sharing.is_primary).toBe(false);
    expect((await read(fixture, two)).sharing.is_primary).toBe(true);
  });

  it('have a primary ticket again when one of them is synced after all of them failed', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    const [one, two, three] = tickets as [Ticket, Ticket, Ticket];
    for (const ticket of tickets) await setLink(fixture, ticket, { state: 'failed' });
    sync.integrations.clickup.dropDeliveries(50);
    sync.integrations.clickup.person.setStatus(task_id, 'Complete');
    expect((await asAgent(fixture, syncTicketTask, two.id)).status).toBe(202);
    await eventually(() => expect(reminders(two)).toHaveLength(1));
    expect((await read(fixture, two)).sharing.is_primary).toBe(true);
    for (const ticket of [one, three]) expect((await asAgent(fixture, syncTicketTask, ticket.id)).status).toBe(202);
    await eventually(() => expect(tickets.map((ticket) => reminders(ticket).length)).toEqual([1, 1, 1]));
    await calm(fixture, tickets);
  });

  it('read the task once when one of them is synced manually', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 3);
    sync.integrations.clickup.dropDeliveries(50);
    sync.integrations.clickup.person.setStatus(task_id, 'In Progress');
    expect((await asAgent(fixture, syncTicketTask, tickets[2]!.id)).status).toBe(202);
    await eventually(() =>
      expect(tickets.map(({ id }) => sync.tickets.get(id).status)).toEqual(['in_progress', 'in_progress', 'in_progress']),
    );
    await calm(fixture, tickets);
    expect(sync.calls.filter((call) => call === 'GET /v2/task/{task_id}')).toHaveLength(1);
  });

  it('are limited to a hundred', async () => {
    const fixture = await byHand();
    const { tickets, task_id } = await shared(fixture, 1);
    const { integration } = fixture;
    for (let i = 0; i < 99; i += 1) await sync.integrations.aLink(integration, { task_id, is_primary: false });
    const ticket = await sync.tickets.create(fixture.organization);
    await eventually(async () =>
      expect(await asAgent(fixture, linkTicketTask, ticket.id, { integration_id: integration.id, task: task_id })).toMatchObject({
        status: 409,
        data: { code: 'task.too_many_tickets' },
      }),
    );
    expect((await read(fixture, tickets[0]!)).sharing.tickets).toBe(1);
  });
});
