import { systemContext, ticketCreated, updateTicket, type Role, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { durableName, emit } from '@tandem/messaging';
import { eventually, organizationOf } from '@tandem/testing';
import { aCreateTicket, aMember, asStaff, TicketsUnderTest, type Place } from '../../test/tickets';
import { keepMember, keepOrganization } from '../projection/identity-projection.store';
import { changeTicket, writeTicket } from '../ticket/ticket.service';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start()));
afterAll(() => tickets?.close());

const inside = <T>(place: Place, work: Parameters<typeof tickets.db.forTenant<T>>[1]) =>
  tickets.db.forTenant({ organization_id: place.id }, work);
const settings = (place: Place, auto_assign: boolean, sequence = 2) =>
  inside(place, (tx) => keepOrganization(tx, organizationOf(place.id, { auto_assign }), sequence));
const aColleague = async (place: Place, role: Role = 'agent', is_active = true): Promise<string> => {
  const user_id = newId();
  await inside(place, (tx) => keepMember(tx, aMember(place.id, user_id, { role, is_active, email: `${user_id}@acme.test` }), 1));
  return user_id;
};
const retire = (place: Place, user_id: string, sequence = 9) =>
  inside(place, (tx) => keepMember(tx, aMember(place.id, user_id, { is_active: false }), sequence));
/** Creates a ticket as staff do; automatic assignment skips tickets created by the system. */
const arrive = (place: Place): Promise<Ticket> => {
  const ctx = asStaff(place);
  return tickets.db.forTenant(ctx, (tx) => writeTicket(tx, ctx, aCreateTicket(), new Date().toISOString())) as Promise<Ticket>;
};
const assigneeOf = (place: Place, { id }: { id: string }) =>
  inside(
    place,
    async (tx) => (await tx.selectFrom('tickets').select('assigned_to').where('id', '=', id).executeTakeFirstOrThrow()).assigned_to,
  );
const assigned = (place: Place, ticket: { id: string }) =>
  eventually(async () => {
    const user = await assigneeOf(place, ticket);
    expect(user).not.toBeNull();
    return user!;
  });
const give = (place: Place, ticket: { id: string }, assigned_to: string | null) =>
  tickets.call<Ticket>(updateTicket, asStaff(place, 'manager'), { params: { id: ticket.id }, body: { assigned_to } });
const loads = (place: Place) =>
  inside(place, async (tx) => {
    const rows = await tx.selectFrom('member_loads').select(['user_id', 'open_tickets']).execute();
    return Object.fromEntries(rows.map(({ user_id, open_tickets }) => [user_id, open_tickets]));
  });
/** Waits until automatic assignment has processed all new tickets of the organization. */
const settled = (place: Place) =>
  eventually(async () => {
    const waiting = await tickets.db.asSystem('test', (tx) =>
      tx
        .selectFrom('outbox as o')
        .leftJoin('inbox as i', (join) =>
          join.onRef('i.event_id', '=', 'o.id').on('i.consumer', '=', durableName('tickets', 'auto-assignment')),
        )
        .select('o.id')
        .where('o.type', '=', ticketCreated.type)
        .where('o.organization_id', '=', place.id)
        .where('i.event_id', 'is', null)
        .execute(),
    );
    expect(waiting).toEqual([]);
  });

describe('how much open work somebody has', () => {
  it('follows every change of status and assignee, and never falls below nothing', async () => {
    const place = await tickets.aPlace();
    const ticket = await tickets.aTicket(place);
    const change = (patch: Parameters<typeof changeTicket>[3]) =>
      inside(place, (tx) => changeTicket(tx, systemContext(place.id, 'test'), ticket.id, patch));
    const steps: [Parameters<typeof change>[0], number | undefined, number | undefined][] = [
      [{ assigned_to: place.agent }, 1, undefined],
      [{ status: 'in_progress' }, 1, undefined],
      [{ status: 'waiting_for_customer' }, 1, undefined],
      [{ status: 'resolved' }, 0, undefined],
      [{ status: 'closed' }, 0, undefined],
      [{ assigned_to: place.manager }, 0, 0],
      [{ status: 'open' }, 0, 1],
      [{ assigned_to: place.agent, status: 'in_progress' }, 1, 0],
      [{ assigned_to: place.manager, status: 'resolved' }, 0, 0],
      [{ assigned_to: null, status: 'open' }, 0, 0],
    ];
    for (const [patch, agent, manager] of steps) {
      await change(patch);
      expect([patch, await loads(place)]).toEqual([
        patch,
        { ...(agent === undefined ? {} : { [place.agent]: agent }), ...(manager === undefined ? {} : { [place.manager]: manager }) },
      ]);
    }
    await change({ assigned_to: place.agent });
    await inside(place, (tx) => tx.updateTable('member_loads').set({ open_tickets: 0 }).execute());
    await change({ status: 'closed' });
    expect((await loads(place))[place.agent]).toBe(0);
  });

  it('stays right while many change the same tickets in any order, and nobody waits in a circle', async () => {
    const place = await tickets.aPlace();
    const all = await Promise.all(Array.from({ length: 6 }, () => tickets.aTicket(place)));
    const people = [place.admin, place.manager, place.agent];
    const ctx = systemContext(place.id, 'test');
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        inside(place, (tx) =>
          changeTicket(tx, ctx, all[i % 6]!.id, { assigned_to: people[(i * 7) % 3]!, status: i % 4 ? 'open' : 'resolved' }),
        ),
      ),
    );
    const counted = await inside(place, (tx) =>
      tx
        .selectFrom('tickets')
        .select(['assigned_to', (eb) => eb.fn.countAll<string>().as('open')])
        .where('status', '=', 'open')
        .groupBy('assigned_to')
        .execute(),
    );
    const expected = Object.fromEntries(people.map((id) => [id, Number(counted.find((row) => row.assigned_to === id)?.open ?? 0)]));
    expect({ ...Object.fromEntries(people.map((id) => [id, 0])), ...(await loads(place)) }).toEqual(expected);
  });
});

describe('a new ticket, where the organization assigns automatically', () => {
  it('goes to the active agent with the least open work, and among equals in turn', async () => {
    const place = await tickets.aPlace();
    const second = await aColleague(place);
    await aColleague(place, 'agent', false);
    await settings(place, true);
    const busy = await tickets.aTicket(place);
    await give(place, busy, place.agent);
    const given = [];
    for (let i = 0; i < 3; i += 1) given.push(await assigned(place, await arrive(place)));
    expect(given[0]).toBe(second);
    // Both have one ticket now, and the first was assigned longer ago.
    expect(given.slice(1)).toEqual([place.agent, second]);
    const [, event] = (await tickets.events()).filter(
      ({ type, organization_id }) => type === 'ticket.assigned' && organization_id === place.id,
    );
    expect(event).toMatchObject({ actor: { type: 'system' }, data: { from: null, ticket: { assigned_to: second } } });
  });

  it('is spread evenly when many come at once: each choice sees the one before it', async () => {
    const place = await tickets.aPlace();
    const others = [await aColleague(place), await aColleague(place)];
    await settings(place, true);
    const all = await Promise.all(Array.from({ length: 18 }, () => arrive(place)));
    const given = await Promise.all(all.map((ticket) => assigned(place, ticket)));
    for (const user of [place.agent, ...others]) expect(given.filter((id) => id === user)).toHaveLength(6);
    expect(await loads(place)).toEqual({ [place.agent]: 6, [others[0]!]: 6, [others[1]!]: 6 });
  });

  it.each([
    ['a manager where there is no agent', ['agent'], 'manager'],
    ['an admin where there is no manager either', ['agent', 'manager'], 'admin'],
  ] as const)('goes to %s', async (_, absent, role) => {
    const place = await tickets.aPlace();
    for (const each of absent) await retire(place, place[each]);
    await settings(place, true);
    expect(await assigned(place, await arrive(place))).toBe(place[role]);
  });

  it('stays with whoever was chosen by hand meanwhile', async () => {
    const place = await tickets.aPlace();
    await settings(place, true);
    const ctx = asStaff(place);
    const ticket = await tickets.db.forTenant(ctx, async (tx) => {
      const created = (await writeTicket(tx, ctx, aCreateTicket(), new Date().toISOString()))!;
      await changeTicket(tx, ctx, created.id, { assigned_to: place.manager });
      return created;
    });
    await settled(place);
    expect(await assigneeOf(place, ticket)).toBe(place.manager);
    expect((await tickets.eventTypes(ticket.id)).filter((type) => type === 'ticket.assigned')).toHaveLength(1);
  });

  it('stays unassigned where nobody is active, where it is switched off, and where a process of ours brought it in', async () => {
    const place = await tickets.aPlace();
    const off = await arrive(place);
    await settled(place);
    await settings(place, true);
    const imported = await tickets.aTicket(place);
    for (const each of ['agent', 'manager', 'admin'] as const) await retire(place, place[each]);
    const nobody = await arrive(place);
    await settled(place);
    for (const ticket of [off, imported, nobody]) expect(await assigneeOf(place, ticket)).toBeNull();
  });

  it('is given once however often its event comes', async () => {
    const place = await tickets.aPlace();
    await settings(place, true);
    const ticket = await arrive(place);
    await assigned(place, ticket);
    const ctx = asStaff(place);
    await tickets.db.forTenant(ctx, (tx) => emit(tx, ctx, ticketCreated, ticket.id, { ticket }));
    await settled(place);
    expect((await tickets.eventTypes(ticket.id)).filter((type) => type === 'ticket.assigned')).toHaveLength(1);
  });
});
