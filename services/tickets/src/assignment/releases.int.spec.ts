import { memberDeactivated, memberUpdated, systemContext, updateTicket, type Role, type Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { durableName, emit } from '@tandem/messaging';
import { eventually, organizationOf } from '@tandem/testing';
import { sql } from 'kysely';
import { aCreateTicket, aMember, asStaff, TicketsUnderTest, type Place } from '../../test/tickets';
import { keepMember, keepOrganization } from '../projection/identity-projection.store';
import { changeTicket, writeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate } from '../ticket/ticket.store';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start({ SWEEP_MS: '300' })));
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
const assigneeOf = (place: Place, { id }: { id: string }) =>
  inside(
    place,
    async (tx) => (await tx.selectFrom('tickets').select('assigned_to').where('id', '=', id).executeTakeFirstOrThrow()).assigned_to,
  );
const give = (place: Place, ticket: { id: string }, assigned_to: string | null) =>
  tickets.call<Ticket>(updateTicket, asStaff(place, 'manager'), { params: { id: ticket.id }, body: { assigned_to } });
const loads = (place: Place) =>
  inside(place, async (tx) => {
    const rows = await tx.selectFrom('member_loads').select(['user_id', 'open_tickets']).execute();
    return Object.fromEntries(rows.map(({ user_id, open_tickets }) => [user_id, open_tickets]));
  });

describe('a member who is deactivated', () => {
  const deactivate = async (place: Place, user_id: string) => {
    const ctx = systemContext(place.id, 'test');
    const member = aMember(place.id, user_id, { is_active: false });
    await tickets.db.forTenant(ctx, async (tx) => {
      await emit(tx, ctx, memberUpdated, user_id, { member });
      await emit(tx, ctx, memberUpdated, user_id, { member });
      await emit(tx, ctx, memberDeactivated, user_id, { member });
    });
  };
  /** Waits until the deactivation was processed and its release is done. `member.updated` may make the member inactive earlier than that. */
  const released = (place: Place) =>
    eventually(async () => {
      const [announced, taken, releases] = await inside(place, async (tx) => [
        await tx
          .selectFrom('outbox')
          .select('id')
          .where('organization_id', '=', place.id)
          .where('type', '=', memberDeactivated.type)
          .execute(),
        await tx.selectFrom('inbox').select('event_id').where('consumer', '=', durableName('tickets', 'unassign-inactive')).execute(),
        await tx.selectFrom('releases').selectAll().execute(),
      ]);
      const known = new Set(taken.map(({ event_id }) => event_id));
      expect(announced.length).toBeGreaterThan(0);
      expect([announced.filter(({ id }) => !known.has(id)), releases]).toEqual([[], []]);
    });
  const pile = async (place: Place, user_id: string, count: number) => {
    const ctx = systemContext(place.id, 'test');
    return inside(place, async (tx) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i += 1) {
        const ticket = (await writeTicket(tx, ctx, aCreateTicket(), new Date().toISOString()))!;
        await changeTicket(tx, ctx, ticket.id, { assigned_to: user_id });
        ids.push(ticket.id);
      }
      return ids;
    });
  };
  const holders = async (place: Place) =>
    inside(place, async (tx) => {
      const rows = await tx.selectFrom('tickets').select(['id', 'assigned_to', 'status']).execute();
      return new Map(rows.map((row) => [row.id, row]));
    });

  it('gives the open tickets back, more than one batch of them, each announced once; what is over stays', async () => {
    const place = await tickets.aPlace();
    const ids = await pile(place, place.agent, 130);
    await inside(place, (tx) => changeTicket(tx, systemContext(place.id, 'test'), ids[0]!, { status: 'resolved' }));
    await deactivate(place, place.agent);
    await released(place);
    const after = await holders(place);
    expect(after.get(ids[0]!)!.assigned_to).toBe(place.agent);
    expect(ids.slice(1).filter((id) => after.get(id)!.assigned_to !== null)).toEqual([]);
    expect(await loads(place)).toEqual({ [place.agent]: 0 });
    const taken = (await tickets.events()).filter(
      ({ organization_id, type, data }) =>
        organization_id === place.id && type === 'ticket.updated' && data.changes.assigned_to?.from === place.agent,
    );
    expect(taken.map(({ subject }) => subject).sort()).toEqual(ids.slice(1).sort());
    expect(taken.every(({ actor }) => actor.type === 'system')).toBe(true);
  });

  it('is relieved by the others in turn, where the organization assigns automatically', async () => {
    const place = await tickets.aPlace();
    const others = [await aColleague(place), await aColleague(place)];
    const ids = await pile(place, place.agent, 10);
    await settings(place, true);
    await deactivate(place, place.agent);
    await released(place);
    const after = await holders(place);
    for (const user of others) expect(ids.filter((id) => after.get(id)!.assigned_to === user)).toHaveLength(5);
    const changes = (await tickets.events()).filter(({ type, data }) => type === 'ticket.assigned' && data.from === place.agent);
    expect(changes.map(({ subject }) => subject).sort()).toEqual([...ids].sort());
  });

  it('keeps what was not yet taken when active again', async () => {
    const place = await tickets.aPlace();
    const ids = await pile(place, place.agent, 20);
    // Lock the eleventh ticket: the release stops there, with ten tickets unassigned.
    const sorted = [...ids].sort();
    let reactivated: Promise<void> | undefined;
    await inside(place, async (tx) => {
      await findTicketForUpdate(tx, sorted[10]!);
      await deactivate(place, place.agent);
      await eventually(async () => {
        const after = await holders(place);
        expect(sorted.slice(0, 10).filter((id) => after.get(id)!.assigned_to !== null)).toEqual([]);
      });
      reactivated = inside(place, (other) => keepMember(other, aMember(place.id, place.agent, { is_active: true }), 9));
      await reactivated;
    });
    await eventually(async () => expect(await inside(place, (tx) => tx.selectFrom('releases').selectAll().execute())).toEqual([]));
    const after = await holders(place);
    expect(sorted.slice(10).filter((id) => after.get(id)!.assigned_to !== place.agent)).toEqual([]);
  });

  it('is not released by an older event of one who is back', async () => {
    const place = await tickets.aPlace();
    await pile(place, place.agent, 1);
    await inside(place, (tx) => keepMember(tx, aMember(place.id, place.agent, { first_name: 'Back' }), 9));
    await deactivate(place, place.agent);
    await released(place);
    expect(await loads(place)).toEqual({ [place.agent]: 1 });
  });

  it('is released also where Redis has forgotten the job', async () => {
    const place = await tickets.aPlace();
    const [id] = await pile(place, place.agent, 1);
    await retire(place, place.agent);
    await inside(place, (tx) => tx.insertInto('releases').values({ organization_id: place.id, user_id: place.agent }).execute());
    await eventually(async () => expect((await holders(place)).get(id!)!.assigned_to).toBeNull());
  });

  it('at the very moment of being given a ticket does not keep it: the one who comes first is waited for', async () => {
    const place = await tickets.aPlace();
    const [early, late] = [await tickets.aTicket(place), await tickets.aTicket(place)];
    // The deactivation runs first: the assignment waits for it and is refused.
    let giving: ReturnType<typeof give> | undefined;
    await inside(place, async (tx) => {
      await keepMember(tx, aMember(place.id, place.agent, { is_active: false }), 2);
      giving = give(place, late, place.agent);
      await waiting();
    });
    const refused = await giving!;
    expect([refused.status, refused.data.code]).toEqual([422, 'assignee.not_a_member']);

    // The assignment runs first: the deactivation waits for it and then unassigns the ticket.
    let leaving: Promise<void> | undefined;
    await inside(place, async (tx) => {
      await changeTicket(tx, systemContext(place.id, 'test'), early.id, { assigned_to: place.manager });
      leaving = deactivate(place, place.manager);
      await leaving;
      await waiting();
    });
    await eventually(async () => expect(await assigneeOf(place, early)).toBeNull());
    expect(await assigneeOf(place, late)).toBeNull();
  });

  /** Waits until a statement waits for a lock in this database; other databases on the same server do not count. */
  const waiting = () =>
    eventually(async () => {
      const { rows } = await tickets.db.asSystem('test', (tx) =>
        sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(tx),
      );
      expect(rows.length).toBeGreaterThan(0);
    });
});
