import { linkTicketTask, readTicketTask, type CustomField, type TicketTask } from '@tandem/contracts';
import { eventually } from '@tandem/testing';
import { asStaff } from '../../test/integrations';
import { SyncFixture, type Fixture } from '../../test/sync-fixture';

let sync: SyncFixture;
beforeAll(async () => {
  sync = await SyncFixture.open({ TASK_TOOL_TIMEOUT_MS: '1000' });
});
afterEach(() => {
  expect(sync.integrations.clickup.violations).toEqual([]);
  sync.integrations.clickup.faults.clear();
});
const { stringContaining } = expect;
const post = { method: 'POST', path: /\/list\/\d+\/task$/ };
const setField = 'POST /v2/task/{task_id}/field/{field_id}';
const removeField = 'DELETE /v2/task/{task_id}/field/{field_id}';
const writes = () => sync.calls.filter((call) => !call.startsWith('GET'));

const options = (...labels: string[]): CustomField['options'] => labels.map((label) => ({ value: label.toLowerCase(), label }));
const ofTypes = {
  region: { label: 'Region', type: 'text' },
  seats: { label: 'Seats', type: 'number' },
  renewal: { label: 'Renewal', type: 'date' },
  vip: { label: 'VIP', type: 'yes_no' },
  plan: { label: 'Plan', type: 'choice', options: options('Basic', 'Pro', 'Gold') },
  colors: { label: 'Colors', type: 'choices', options: options('Red', 'Green', 'Blue') },
} as const satisfies Record<string, Partial<CustomField>>;

/** An organization with these custom fields, and a list with fields of the same names, in which no option is named Gold or Blue. */
async function aFixture(keys: (keyof typeof ofTypes)[] = ['region', 'plan']) {
  const fixture = await sync.aFixture();
  const { clickup } = sync.integrations;
  const added = {
    region: () => clickup.addField(fixture.list, 'Region', 'short_text'),
    seats: () => clickup.addField(fixture.list, 'SEATS', 'number'),
    renewal: () => clickup.addField(fixture.list, 'Renewal', 'date'),
    vip: () => clickup.addField(fixture.list, ' vip', 'checkbox'),
    plan: () => clickup.addField(fixture.list, 'Plan', 'drop_down', ['Basic', 'Pro']),
    colors: () => clickup.addField(fixture.list, 'colors', 'labels', ['Red', 'Green']),
  };
  const fields = Object.fromEntries(keys.map((key) => [key, added[key]()]));
  await describeAgain(fixture);
  for (const key of keys) await sync.tickets.defineField(fixture.organization, { key, ...ofTypes[key] });
  await whenDefined(fixture, keys.length);
  const option = (key: string, name: string) => fields[key]!.type_config.options!.find((each) => (each.name ?? each.label) === name)!.id;
  return { ...fixture, id: (key: string) => fields[key]!.id, option };
}

/** Reads the list's fields again. */
async function describeAgain({ organization, list }: Fixture): Promise<void> {
  const wanted = sync.integrations.clickup.list(list).fields.length;
  await sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
    tx.updateTable('integrations').set({ described_at: null, next_check_at: new Date().toISOString() }).execute(),
  );
  await eventually(async () => expect((await sync.integrations.findIntegrations(organization))[0]!.list_fields).toHaveLength(wanted));
}

const whenDefined = ({ organization }: Pick<Fixture, 'organization'>, count: number) =>
  eventually(async () => {
    const found = await sync.integrations.db.forTenant({ organization_id: organization.id }, (tx) =>
      tx.selectFrom('custom_fields').select('id').where('is_deleted', '=', false).execute(),
    );
    expect(found).toHaveLength(count);
  });

const valuesOf = (task_id: string) => sync.integrations.clickup.task(task_id)!.values;
const warnings = async (fixture: Pick<Fixture, 'organization'>) =>
  (await sync.integrations.syncLog(fixture.organization)).filter(({ level }) => level !== 'info').map(({ message }) => message);

describe('a new task', () => {
  it('has the values of all types, written in the call that creates it', async () => {
    const fixture = await aFixture(['region', 'seats', 'renewal', 'vip', 'plan', 'colors']);
    sync.integrations.clickup.clearLog();
    const custom_fields = { region: 'EMEA', seats: 25, renewal: '2026-12-31', vip: false, plan: 'pro', colors: ['red', 'green'] };
    const ticket = await sync.tickets.create(fixture.organization, { custom_fields });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    const { id, option } = fixture;
    expect(valuesOf(task_id)).toEqual({
      [id('region')]: 'EMEA',
      [id('seats')]: 25,
      [id('renewal')]: Date.parse('2026-12-31T10:00:00Z'),
      [id('vip')]: false,
      [id('plan')]: option('plan', 'Pro'),
      [id('colors')]: [option('colors', 'Red'), option('colors', 'Green')],
    });
    await sync.whenIdle(fixture, ticket);
    expect(writes()).toEqual(['POST /v2/list/{list_id}/task']);
    expect(await warnings(fixture)).toEqual([]);
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('has no option that the list does not have, and the log names it', async () => {
    const fixture = await aFixture(['plan', 'colors']);
    const ticket = await sync.tickets.create(fixture.organization, { custom_fields: { plan: 'gold', colors: ['blue', 'green'] } });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(valuesOf(task_id)).toEqual({ [fixture.id('colors')]: [fixture.option('colors', 'Green')] });
    expect((await warnings(fixture)).sort()).toEqual([
      'The list’s field “Plan” has no option “Gold”. It was not sent.',
      'The list’s field “colors” has no option “Blue”. It was not sent.',
    ]);
  });

  it('does not use the custom fields of another organization', async () => {
    const fixture = await aFixture(['region']);
    const other = await sync.aFixture();
    sync.integrations.clickup.addField(other.list, 'Region', 'short_text');
    await describeAgain(other);
    const { task_id } = await sync.aLinkedTicket(other, { custom_fields: { region: 'EMEA' } });
    expect(valuesOf(task_id)).toEqual({});
    const own = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    expect(valuesOf(own.task_id)).toEqual({ [fixture.id('region')]: 'EMEA' });
  });

  it('is found again after a lost response, and gets the values that the ticket has by then', async () => {
    const fixture = await aFixture(['region', 'plan']);
    const { clickup } = sync.integrations;
    clickup.faults.loseAnswer(post);
    const ticket = await sync.tickets.create(fixture.organization, { custom_fields: { region: 'EMEA', plan: 'pro' } });
    await eventually(() => expect(clickup.tasks(fixture.list)).toHaveLength(1));
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'APAC' } });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'APAC', [fixture.id('plan')]: null }));
    expect(clickup.tasks(fixture.list)).toHaveLength(1);
  });
});

it('an existing task gets the values when a ticket is linked to it', async () => {
  const fixture = await aFixture(['region', 'plan']);
  const { clickup } = sync.integrations;
  await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
    tx
      .updateTable('integrations')
      .set({ rules: JSON.stringify({ create: 'none', categories: [], tags: [], priorities: [] }) })
      .execute(),
  );
  const task = clickup.person.createTask(fixture.list, { name: 'Known bug' });
  clickup.person.setField(task.id, fixture.id('plan'), fixture.option('plan', 'Basic'));
  const ticket = await sync.tickets.create(fixture.organization, { custom_fields: { region: 'EMEA' } });
  const { status } = await sync.integrations.call(linkTicketTask, asStaff(fixture.organization), {
    params: { id: ticket.id },
    body: { integration_id: fixture.integration.id, task: task.id },
  });
  expect(status).toBe(201);
  await sync.whenIdle(fixture, ticket);
  // A value that only the task has stays.
  expect(valuesOf(task.id)).toEqual({ [fixture.id('region')]: 'EMEA', [fixture.id('plan')]: fixture.option('plan', 'Basic') });
  expect(sync.changesSentTo(ticket)).toEqual([]);
});

describe('a change', () => {
  it('of only custom fields is written once, each removed value too, and does not come back', async () => {
    const fixture = await aFixture(['region', 'plan']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA', plan: 'pro' } });
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'APAC' } });
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'APAC', [fixture.id('plan')]: null }));
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls.sort()).toEqual([removeField, setField]);
    expect(sync.changesSentTo(ticket)).toEqual([]);
    expect(await sync.integrations.syncLog(fixture.organization)).toContainEqual(
      expect.objectContaining({ level: 'info', direction: 'to_task', message: 'Sent to the task: Region and Plan' }),
    );
  });

  it('of anything else writes no custom field', async () => {
    const fixture = await aFixture(['region']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    await sync.tickets.change(ticket.id, { subject: 'New' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'New' }));
    await sync.whenIdle(fixture, ticket);
    expect(writes()).toEqual(['PUT /v2/task/{task_id}']);
  });

  it('in the tool stays until the ticket’s value changes, and does not change the ticket', async () => {
    const fixture = await aFixture(['region']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    sync.integrations.clickup.person.setField(task_id, fixture.id('region'), 'Edited');
    await sync.whenIdle(fixture, ticket);
    await sync.tickets.change(ticket.id, { priority: 'urgent' });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ priority: 1 }));
    expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'Edited' });
    expect(sync.changesSentTo(ticket)).toEqual([]);
  });

  it('to an option that the list does not have removes the previous one', async () => {
    const fixture = await aFixture(['plan']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { plan: 'pro' } });
    await sync.tickets.change(ticket.id, { custom_fields: { plan: 'gold' } });
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [fixture.id('plan')]: null }));
    await sync.whenIdle(fixture, ticket);
    expect(await warnings(fixture)).toEqual(['The list’s field “Plan” has no option “Gold”. It was not sent.']);
  });

  it('is written after a failure of the tool, and nothing is lost', async () => {
    const fixture = await aFixture(['region', 'plan']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    const { clickup } = sync.integrations;
    clickup.failNext(500, 'ITEMV2_003', { path: '/field/', times: 2 });
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'EMEA', plan: 'basic' } });
    await eventually(() =>
      expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'EMEA', [fixture.id('plan')]: fixture.option('plan', 'Basic') }),
    );
    await sync.whenSynced(fixture, ticket);
    expect(clickup.faults.waiting).toBe(0);
  });

  it('that is undone after its response was lost is undone in the task, too', async () => {
    const fixture = await aFixture(['region']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    const { clickup } = sync.integrations;
    clickup.faults.loseAnswer({ path: '/field/' });
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'APAC' } });
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'APAC' }));
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'EMEA' } });
    await sync.whenSynced(fixture, ticket);
    expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'EMEA' });
  });

  it('that the tool refuses for one field is written to the others, and the ticket shows which differs', async () => {
    const fixture = await aFixture(['region', 'plan']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(400, 'FIELD_030', { path: fixture.id('region') });
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'EMEA', plan: 'basic' } });
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [fixture.id('plan')]: fixture.option('plan', 'Basic') }));
    await sync.whenSynced(fixture, ticket);
    const { data } = await sync.integrations.call<{ task: TicketTask }>(readTicketTask, asStaff(fixture.organization), {
      params: { id: ticket.id },
    });
    expect(data.task).toMatchObject({ differs: [], problem: stringContaining('Differs: Region. ') });
    // Any other change sends it again.
    await sync.tickets.change(ticket.id, { subject: 'New' });
    await eventually(() => expect(valuesOf(task_id)).toMatchObject({ [fixture.id('region')]: 'EMEA' }));
  });
});

describe('a task created with a value that the tool refuses', () => {
  it('gets its other values, and the address stays in its own field', async () => {
    const fixture = await aFixture(['region', 'plan']);
    const { clickup } = sync.integrations;
    clickup.failNext(400, 'FIELD_030', post);
    clickup.failNext(400, 'FIELD_030', { path: fixture.id('region') });
    const ticket = await sync.tickets.create(fixture.organization, { custom_fields: { region: 'EMEA', plan: 'pro' } });
    const { task_id } = await sync.whenSynced(fixture, ticket);
    expect(valuesOf(task_id)).toEqual({ [fixture.id('plan')]: fixture.option('plan', 'Pro') });
    expect((await sync.integrations.findIntegrations(fixture.organization))[0]).toMatchObject({ custom_fields_refused: false });
    expect(clickup.tasks(fixture.list)).toHaveLength(1);
  });
});

describe('a plan without custom fields', () => {
  it('creates the task without them, once and for all', async () => {
    const fixture = await aFixture(['region']);
    const { clickup } = sync.integrations;
    clickup.failNext(400, 'FIELD_605', post);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    expect(valuesOf(task_id)).toEqual({});
    expect(await warnings(fixture)).toEqual([stringContaining('ClickUp’s plan allows no more custom fields')]);
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'APAC' } });
    await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls).not.toContain(setField);
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ problem: null });
  });

  it('refuses a change, and the other changes arrive', async () => {
    const fixture = await aFixture(['region']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture);
    sync.integrations.clickup.failNext(400, 'FIELD_605', { path: '/field/' });
    await sync.tickets.change(ticket.id, { subject: 'New', custom_fields: { region: 'EMEA' } });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'New' }));
    await sync.whenIdle(fixture, ticket);
    expect(await sync.integrations.findLink(fixture.organization, ticket.id)).toMatchObject({ problem: null });
    await sync.tickets.change(ticket.id, { custom_fields: { region: 'APAC' } });
    await sync.whenIdle(fixture, ticket);
    expect(sync.calls.filter((call) => call === setField)).toHaveLength(1);
  });
});

describe('a definition', () => {
  it('that arrives after a ticket with its value is applied to the ticket’s task', async () => {
    const fixture = await sync.aFixture();
    const { id } = sync.integrations.clickup.addField(fixture.list, 'Region', 'text');
    await describeAgain(fixture);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    const other = await sync.aLinkedTicket(fixture);
    expect(valuesOf(task_id)).toEqual({});
    await sync.tickets.defineField(fixture.organization, { key: 'region', label: 'region' });
    await eventually(() => expect(valuesOf(task_id)).toEqual({ [id]: 'EMEA' }));
    await sync.whenIdle(fixture, ticket);
    expect(valuesOf(other.task_id)).toEqual({});
  });

  it('that was deleted leaves the task’s value, and sends no further one', async () => {
    const fixture = await aFixture(['region']);
    const { ticket, task_id } = await sync.aLinkedTicket(fixture, { custom_fields: { region: 'EMEA' } });
    await sync.tickets.deleteField(fixture.organization, 'region');
    await whenDefined(fixture, 0);
    await sync.tickets.change(ticket.id, { subject: 'New', custom_fields: {} });
    await eventually(() => expect(sync.integrations.clickup.task(task_id)).toMatchObject({ name: 'New' }));
    await sync.whenIdle(fixture, ticket);
    expect(valuesOf(task_id)).toEqual({ [fixture.id('region')]: 'EMEA' });
  });

  it('is not replaced by an older event that arrives later', async () => {
    const fixture = await aFixture(['region']);
    const [{ id, sequence }] = (await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.selectFrom('custom_fields').select(['id', 'sequence']).execute(),
    )) as [{ id: string; sequence: number }];
    expect(sequence).toBeGreaterThan(0);
    await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx
        .updateTable('custom_fields')
        .set({ sequence: sequence + 1_000_000, is_deleted: true })
        .execute(),
    );
    await sync.tickets.defineField(fixture.organization, { key: 'region', label: 'Late', id });
    await sync.tickets.defineField(fixture.organization, { key: 'next', label: 'Next' });
    await whenDefined(fixture, 1);
    const found = await sync.integrations.db.forTenant({ organization_id: fixture.organization.id }, (tx) =>
      tx.selectFrom('custom_fields').select('label').where('id', '=', id).executeTakeFirstOrThrow(),
    );
    expect(found.label).toBe('Region');
  });
});
