import { updateTicket, type Role, type Ticket } from '@tandem/contracts';
import { newId, type Tx } from '@tandem/db';
import { organizationOf } from '@tandem/testing';
import { saveMember, saveOrganization } from '../src/projection/identity-projection.store';
import type { TicketsSchema } from '../src/schema';
import { aMember, asStaff, type TestOrganization, type TicketsUnderTest } from './tickets';

/** Changes organizations, members and tickets for the tests of assignment, in the service that `current` returns. */
export function assignmentSteps(current: () => TicketsUnderTest) {
  const inTenant = <T>(organization: TestOrganization, work: (tx: Tx<TicketsSchema>) => Promise<T>) =>
    current().db.forTenant({ organization_id: organization.id }, work);
  const settings = (organization: TestOrganization, auto_assign: boolean, sequence = 2) =>
    inTenant(organization, (tx) => saveOrganization(tx, organizationOf(organization.id, { auto_assign }), sequence));
  const addMember = async (organization: TestOrganization, role: Role = 'agent', is_active = true): Promise<string> => {
    const user_id = newId();
    await inTenant(organization, (tx) =>
      saveMember(tx, aMember(organization.id, user_id, { role, is_active, email: `${user_id}@acme.test` }), 1),
    );
    return user_id;
  };
  const setInactive = (organization: TestOrganization, user_id: string, sequence = 9) =>
    inTenant(organization, (tx) => saveMember(tx, aMember(organization.id, user_id, { is_active: false }), sequence));
  const assigneeOf = (organization: TestOrganization, { id }: { id: string }) =>
    inTenant(
      organization,
      async (tx) => (await tx.selectFrom('tickets').select('assigned_to').where('id', '=', id).executeTakeFirstOrThrow()).assigned_to,
    );
  const assign = (organization: TestOrganization, ticket: { id: string }, assigned_to: string | null) =>
    current().call<Ticket>(updateTicket, asStaff(organization, 'manager'), { params: { id: ticket.id }, body: { assigned_to } });
  const loads = (organization: TestOrganization) =>
    inTenant(organization, async (tx) => {
      const rows = await tx.selectFrom('member_loads').select(['user_id', 'open_tickets']).execute();
      return Object.fromEntries(rows.map(({ user_id, open_tickets }) => [user_id, open_tickets]));
    });
  return { inTenant, settings, addMember, setInactive, assigneeOf, assign, loads };
}
