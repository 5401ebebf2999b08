import { memberDeactivated, memberUpdated, systemContext } from '@tandem/contracts';
import { durableName, emit } from '@tandem/messaging';
import { eventually } from '@tandem/testing';
import { sql } from 'kysely';
import { assignmentSteps } from '../../test/assignment';
import { ticketInput, aMember, TicketsUnderTest, type TestOrganization } from '../../test/tickets';
import { saveMember } from '../projection/identity-projection.store';
import { changeTicket, writeTicket } from '../ticket/ticket.service';
import { findTicketForUpdate } from '../ticket/ticket.store';

let tickets: TicketsUnderTest;
beforeAll(async () => (tickets = await TicketsUnderTest.start({ SWEEP_MS: '300' })));
afterAll(() => tickets?.close());

const { inTenant, settings, addMember, setInactive, assigneeOf, assign, loads } = assignmentSteps(() => tickets);

describe('deactivating a member', () => {
  const deactivate = async (organization: TestOrganization, user_id: string) => {
    const ctx = systemContext(organization.id, 'test');
    const member = aMember(organization.id, user_id, { is_active: false });
    await tickets.db.forTenant(ctx, async (tx) => {
      await emit(tx, ctx, memberUpdated, user_id, { member });
      await emit(tx, ctx, memberUpdated, user_id, { member });
      await emit(tx, ctx, memberDeactivated, user_id, { member });
    });
  };
  /** Waits until the deactivation was processed and its tickets are unassigned. `member.updated` may make the member inactive earlier than that. */
  const finishedUnassigning = (organization: TestOrganization) =>
    eventually(async () => {
      const [announced, taken, pending] = await inTenant(organization, async (tx) => [
        await tx
          .selectFrom('outbox')
          .select('id')
          .where('organization_id', '=', organization.id)
          .where('type', '=', memberDeactivated.type)
          .execute(),
        await tx.selectFrom('inbox').select('event_id').where('consumer', '=', durableName('tickets', 'unassign-inactive')).execute(),
        await tx.selectFrom('pending_unassignments').selectAll().execute(),
      ]);
      const known = new Set(taken.map(({ event_id }) => event_id));
      expect(announced.length).toBeGreaterThan(0);
      expect([announced.filter(({ id }) => !known.has(id)), pending]).toEqual([[], []]);
    });
  const assignMany = async (organization: TestOrganization, user_id: string, count: number) => {
    const ctx = systemContext(organization.id, 'test');
    return inTenant(organization, async (tx) => {
      const ids: string[] = [];
      for (let i = 0; i < count; i += 1) {
        const ticket = (await writeTicket(tx, ctx, ticketInput(), new Date().toISOString()))!;
        await changeTicket(tx, ctx, ticket.id, { assigned_to: user_id });
        ids.push(ticket.id);
      }
      return ids;
    });
  };
  const assignees = async (organization: TestOrganization) =>
    inTenant(organization, async (tx) => {
      const rows = await tx.selectFrom('tickets').select(['id', 'assigned_to', 'status']).execute();
      return new Map(rows.map((row) => [row.id, row]));
    });

  it('unassigns all open tickets, in several batches, with one event each, and no closed ones', async () => {
    const organization = await tickets.anOrganization();
    const ids = await assignMany(organization, organization.agent, 130);
    await inTenant(organization, (tx) => changeTicket(tx, systemContext(organization.id, 'test'), ids[0]!, { status: 'resolved' }));
    await deactivate(organization, organization.agent);
    await finishedUnassigning(organization);
    const after = await assignees(organization);
    expect(after.get(ids[0]!)!.assigned_to).toBe(organization.agent);
    expect(ids.slice(1).filter((id) => after.get(id)!.assigned_to !== null)).toEqual([]);
    expect(await loads(organization)).toEqual({ [organization.agent]: 0 });
    const taken = (await tickets.events()).filter(
      ({ organization_id, type, data }) =>
        organization_id === organization.id && type === 'ticket.updated' && data.changes.assigned_to?.from === organization.agent,
    );
    expect(taken.map(({ subject }) => subject).sort()).toEqual(ids.slice(1).sort());
    expect(taken.every(({ actor }) => actor.type === 'system')).toBe(true);
  });

  it('reassigns the tickets in turn if automatic assignment is on', async () => {
    const organization = await tickets.anOrganization();
    const others = [await addMember(organization), await addMember(organization)];
    const ids = await assignMany(organization, organization.agent, 10);
    await settings(organization, true);
    await deactivate(organization, organization.agent);
    await finishedUnassigning(organization);
    const after = await assignees(organization);
    for (const user of others) expect(ids.filter((id) => after.get(id)!.assigned_to === user)).toHaveLength(5);
    const changes = (await tickets.events()).filter(({ type, data }) => type === 'ticket.assigned' && data.from === organization.agent);
    expect(changes.map(({ subject }) => subject).sort()).toEqual([...ids].sort());
  });

  it('leaves the remaining tickets assigned after a reactivation', async () => {
    const organization = await tickets.anOrganization();
    const ids = await assignMany(organization, organization.agent, 20);
    // Lock the eleventh ticket: the job stops there, with ten tickets unassigned.
    const sorted = [...ids].sort();
    let reactivated: Promise<void> | undefined;
    await inTenant(organization, async (tx) => {
      await findTicketForUpdate(tx, sorted[10]!);
      await deactivate(organization, organization.agent);
      await eventually(async () => {
        const after = await assignees(organization);
        expect(sorted.slice(0, 10).filter((id) => after.get(id)!.assigned_to !== null)).toEqual([]);
      });
      reactivated = inTenant(organization, (other) =>
        saveMember(other, aMember(organization.id, organization.agent, { is_active: true }), 9),
      );
      await reactivated;
    });
    await eventually(async () =>
      expect(await inTenant(organization, (tx) => tx.selectFrom('pending_unassignments').selectAll().execute())).toEqual([]),
    );
    const after = await assignees(organization);
    expect(sorted.slice(10).filter((id) => after.get(id)!.assigned_to !== organization.agent)).toEqual([]);
  });

  it('ignores an older event after a reactivation', async () => {
    const organization = await tickets.anOrganization();
    await assignMany(organization, organization.agent, 1);
    await inTenant(organization, (tx) => saveMember(tx, aMember(organization.id, organization.agent, { first_name: 'Back' }), 9));
    await deactivate(organization, organization.agent);
    await finishedUnassigning(organization);
    expect(await loads(organization)).toEqual({ [organization.agent]: 1 });
  });

  it('unassigns the tickets even if Redis has lost the job', async () => {
    const organization = await tickets.anOrganization();
    const [id] = await assignMany(organization, organization.agent, 1);
    await setInactive(organization, organization.agent);
    await inTenant(organization, (tx) =>
      tx.insertInto('pending_unassignments').values({ organization_id: organization.id, user_id: organization.agent }).execute(),
    );
    await eventually(async () => expect((await assignees(organization)).get(id!)!.assigned_to).toBeNull());
  });

  it('unassigns a ticket that is assigned in a concurrent transaction', async () => {
    const organization = await tickets.anOrganization();
    const [early, late] = [await tickets.aTicket(organization), await tickets.aTicket(organization)];
    // The deactivation runs first: the assignment waits for it and is refused.
    let giving: ReturnType<typeof assign> | undefined;
    await inTenant(organization, async (tx) => {
      await saveMember(tx, aMember(organization.id, organization.agent, { is_active: false }), 2);
      giving = assign(organization, late, organization.agent);
      await waiting();
    });
    const refused = await giving!;
    expect([refused.status, refused.data.code]).toEqual([422, 'assignee.not_a_member']);

    // The assignment runs first: the deactivation waits for it and then unassigns the ticket.
    let leaving: Promise<void> | undefined;
    await inTenant(organization, async (tx) => {
      await changeTicket(tx, systemContext(organization.id, 'test'), early.id, { assigned_to: organization.manager });
      leaving = deactivate(organization, organization.manager);
      await leaving;
      await waiting();
    });
    await eventually(async () => expect(await assigneeOf(organization, early)).toBeNull());
    expect(await assigneeOf(organization, late)).toBeNull();
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
