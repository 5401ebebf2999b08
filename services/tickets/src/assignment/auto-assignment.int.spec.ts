import { systemContext, ticketCreated, type Ticket } from '@tandem/contracts';
import { connectRedis, durableName, emit, versionKey } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { assignmentSteps } from '../../test/assignment';
import { ticketInput, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { changeTicket, writeTicket } from '../ticket/ticket.service';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const { inTenant, settings, addMember, setInactive, assigneeOf, assign, loads } = assignmentSteps(() => tickets);
/** Creates a ticket as staff do; automatic assignment skips tickets created by the system. */
const createAsStaff = (organization: TestOrganization): Promise<Ticket> => {
  const ctx = asStaff(organization);
  return tickets.db.forTenant(ctx, (tx) => writeTicket(tx, ctx, ticketInput(), new Date().toISOString())) as Promise<Ticket>;
};
const assigned = (organization: TestOrganization, ticket: { id: string }) =>
  eventually(async () => {
    const user = await assigneeOf(organization, ticket);
    expect(user).not.toBeNull();
    return user!;
  });
/** Waits until automatic assignment has processed all new tickets of the organization. */
const processed = (organization: TestOrganization) =>
  eventually(async () => {
    const waiting = await tickets.db.asSystem('test', (tx) =>
      tx
        .selectFrom('outbox as o')
        .leftJoin('inbox as i', (join) =>
          join.onRef('i.event_id', '=', 'o.id').on('i.consumer', '=', durableName('tickets', 'auto-assignment')),
        )
        .select('o.id')
        .where('o.type', '=', ticketCreated.type)
        .where('o.organization_id', '=', organization.id)
        .where('i.event_id', 'is', null)
        .execute(),
    );
    expect(waiting).toEqual([]);
  });

describe('the load of a member', () => {
  it('follows every change of status and assignee, and is never negative', async () => {
    const organization = await tickets.anOrganization();
    const ticket = await tickets.aTicket(organization);
    const change = (patch: Parameters<typeof changeTicket>[3]) =>
      inTenant(organization, (tx) => changeTicket(tx, systemContext(organization.id, 'test'), ticket.id, patch));
    const steps: [Parameters<typeof change>[0], number | undefined, number | undefined][] = [
      [{ assigned_to: organization.agent }, 1, undefined],
      [{ status: 'in_progress' }, 1, undefined],
      [{ status: 'waiting_for_customer' }, 1, undefined],
      [{ status: 'resolved' }, 0, undefined],
      [{ status: 'closed' }, 0, undefined],
      [{ assigned_to: organization.manager }, 0, 0],
      [{ status: 'open' }, 0, 1],
      [{ assigned_to: organization.agent, status: 'in_progress' }, 1, 0],
      [{ assigned_to: organization.manager, status: 'resolved' }, 0, 0],
      [{ assigned_to: null, status: 'open' }, 0, 0],
    ];
    for (const [patch, agent, manager] of steps) {
      await change(patch);
      expect([patch, await loads(organization)]).toEqual([
        patch,
        {
          ...(agent === undefined ? {} : { [organization.agent]: agent }),
          ...(manager === undefined ? {} : { [organization.manager]: manager }),
        },
      ]);
    }
    await change({ assigned_to: organization.agent });
    await inTenant(organization, (tx) => tx.updateTable('member_loads').set({ open_tickets: 0 }).execute());
    await change({ status: 'closed' });
    expect((await loads(organization))[organization.agent]).toBe(0);
  });

  it('is written neither between two open statuses nor between resolved and closed', async () => {
    const organization = await tickets.anOrganization();
    const ticket = await tickets.aTicket(organization);
    const change = (patch: Parameters<typeof changeTicket>[3]) =>
      inTenant(organization, (tx) => changeTicket(tx, systemContext(organization.id, 'test'), ticket.id, patch));
    /** The transaction that wrote the row. */
    const writer = () =>
      inTenant(
        organization,
        async (tx) =>
          (
            await tx
              .selectFrom('member_loads')
              .select(sql<string>`xmin::text`.as('xmin'))
              .execute()
          )[0],
      );
    await change({ assigned_to: organization.agent });
    const assigned = await writer();
    expect(assigned).toBeDefined();
    await change({ status: 'in_progress' });
    await change({ status: 'waiting_for_customer' });
    expect(await writer()).toEqual(assigned);
    await change({ status: 'resolved' });
    const resolved = await writer();
    expect(resolved).not.toEqual(assigned);
    await change({ status: 'closed' });
    expect(await writer()).toEqual(resolved);
  });

  it('stays correct when tickets change concurrently in any order, without deadlocks', async () => {
    const organization = await tickets.anOrganization();
    const all = await Promise.all(Array.from({ length: 6 }, () => tickets.aTicket(organization)));
    const people = [organization.admin, organization.manager, organization.agent];
    const ctx = systemContext(organization.id, 'test');
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        inTenant(organization, (tx) =>
          changeTicket(tx, ctx, all[i % 6]!.id, { assigned_to: people[(i * 7) % 3]!, status: i % 4 ? 'open' : 'resolved' }),
        ),
      ),
    );
    const counted = await inTenant(organization, (tx) =>
      tx
        .selectFrom('tickets')
        .select(['assigned_to', (eb) => eb.fn.countAll<string>().as('open')])
        .where('status', '=', 'open')
        .groupBy('assigned_to')
        .execute(),
    );
    const expected = Object.fromEntries(people.map((id) => [id, Number(counted.find((row) => row.assigned_to === id)?.open ?? 0)]));
    expect({ ...Object.fromEntries(people.map((id) => [id, 0])), ...(await loads(organization)) }).toEqual(expected);
  });
});

describe('automatic assignment of a new ticket', () => {
  it('chooses the active agent with the lowest load, and takes turns among equals', async () => {
    const organization = await tickets.anOrganization();
    const second = await addMember(organization);
    await addMember(organization, 'agent', false);
    await settings(organization, true);
    const busy = await tickets.aTicket(organization);
    await assign(organization, busy, organization.agent);
    const given = [];
    for (let i = 0; i < 3; i += 1) given.push(await assigned(organization, await createAsStaff(organization)));
    expect(given[0]).toBe(second);
    // Both have one ticket now, and the first was assigned longer ago.
    expect(given.slice(1)).toEqual([organization.agent, second]);
    const [, event] = (await tickets.events()).filter(
      ({ type, organization_id }) => type === 'ticket.assigned' && organization_id === organization.id,
    );
    expect(event).toMatchObject({ actor: { type: 'system' }, data: { from: null, ticket: { assigned_to: second } } });
  });

  it('distributes concurrent tickets evenly', async () => {
    const organization = await tickets.anOrganization();
    const others = [await addMember(organization), await addMember(organization)];
    await settings(organization, true);
    const all = await Promise.all(Array.from({ length: 18 }, () => createAsStaff(organization)));
    const given = await Promise.all(all.map((ticket) => assigned(organization, ticket)));
    for (const user of [organization.agent, ...others]) expect(given.filter((id) => id === user)).toHaveLength(6);
    expect(await loads(organization)).toEqual({ [organization.agent]: 6, [others[0]!]: 6, [others[1]!]: 6 });
  });

  it.each([
    ['a manager without agents', ['agent'], 'manager'],
    ['an admin without agents and managers', ['agent', 'manager'], 'admin'],
  ] as const)('goes to %s', async (_, absent, role) => {
    const organization = await tickets.anOrganization();
    for (const each of absent) await setInactive(organization, organization[each]);
    await settings(organization, true);
    expect(await assigned(organization, await createAsStaff(organization))).toBe(organization[role]);
  });

  it('keeps an assignee who was chosen manually in the meantime', async () => {
    const organization = await tickets.anOrganization();
    await settings(organization, true);
    const ctx = asStaff(organization);
    const ticket = await tickets.db.forTenant(ctx, async (tx) => {
      const created = (await writeTicket(tx, ctx, ticketInput(), new Date().toISOString()))!;
      await changeTicket(tx, ctx, created.id, { assigned_to: organization.manager });
      return created;
    });
    await processed(organization);
    expect(await assigneeOf(organization, ticket)).toBe(organization.manager);
    expect((await tickets.eventTypes(ticket.id)).filter((type) => type === 'ticket.assigned')).toHaveLength(1);
  });

  it('leaves the ticket unassigned without active members, if it is turned off, and for tickets of a system process', async () => {
    const organization = await tickets.anOrganization();
    const off = await createAsStaff(organization);
    await processed(organization);
    await settings(organization, true);
    const imported = await tickets.aTicket(organization);
    for (const each of ['agent', 'manager', 'admin'] as const) await setInactive(organization, organization[each]);
    const withoutAgents = await createAsStaff(organization);
    await processed(organization);
    for (const ticket of [off, imported, withoutAgents]) expect(await assigneeOf(organization, ticket)).toBeNull();
  });

  it('renews the organization’s data version only if it assigns the ticket', async () => {
    const { REDIS_URL, REDIS_PREFIX } = tickets.app.get<{ REDIS_URL: string; REDIS_PREFIX: string }>('CONFIG' as never);
    const redis = connectRedis(REDIS_URL);
    try {
      const [off, on] = [await tickets.anOrganization(), await tickets.anOrganization()];
      await settings(on, true);
      const versionOf = ({ id }: TestOrganization) => redis.get(versionKey(REDIS_PREFIX, 'tickets', id));
      // Neither is created by the running service, so that only the consumer can renew a version.
      await createAsStaff(off);
      await processed(off);
      await createAsStaff(on);
      await eventually(async () => expect(await versionOf(on)).not.toBeNull());
      expect(await versionOf(off)).toBeNull();
    } finally {
      redis.disconnect();
    }
  });

  it('assigns once if the event is delivered several times', async () => {
    const organization = await tickets.anOrganization();
    await settings(organization, true);
    const ticket = await createAsStaff(organization);
    await assigned(organization, ticket);
    const ctx = asStaff(organization);
    await tickets.db.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    await processed(organization);
    expect((await tickets.eventTypes(ticket.id)).filter((type) => type === 'ticket.assigned')).toHaveLength(1);
  });
});
