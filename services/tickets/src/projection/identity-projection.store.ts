import type { Member, Organization } from '@tandem/contracts';
import { sql } from 'kysely';
import type { TicketsTx } from '../schema';

/** Saves the newest state: an event older than the stored one changes nothing. */
export async function saveOrganization(tx: TicketsTx, organization: Organization, sequence: number): Promise<void> {
  const {
    id: organization_id,
    name,
    subdomain,
    ticket_prefix,
    time_zone,
    auto_assign,
    default_priority,
    customer_follow_up,
    instant_lookup,
  } = organization;
  const state = {
    name,
    subdomain,
    ticket_prefix,
    time_zone,
    auto_assign,
    default_priority,
    customer_follow_up,
    instant_lookup,
    is_demo: organization.demo_ends_at !== null,
    default_language: organization.languages.default,
    business_hours: organization.business_hours && JSON.stringify(organization.business_hours),
    holidays: JSON.stringify(organization.holidays),
    sequence,
  };
  const kept = await tx
    .insertInto('organizations')
    .values({ organization_id, ...state })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet(state).where('organizations.sequence', '<', sequence))
    .returning('ticket_prefix')
    .executeTakeFirst();
  if (!kept) return;
  await tx
    .insertInto('ticket_counters')
    .values({ organization_id, prefix: ticket_prefix })
    // After the first insert the prefix is changed only here (`prefix/`): identity's copy follows, and may be older.
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute();
}

export async function saveMember(tx: TicketsTx, member: Member, sequence: number): Promise<void> {
  const { organization_id, user_id, email, first_name, last_name, role, is_active } = member;
  await tx
    .insertInto('members')
    .values({ organization_id, user_id, email, first_name, last_name, role, is_active, sequence })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'user_id'])
        .doUpdateSet({ email, first_name, last_name, role, is_active, sequence })
        .where(sql<boolean>`members.sequence < excluded.sequence`),
    )
    .execute();
}
