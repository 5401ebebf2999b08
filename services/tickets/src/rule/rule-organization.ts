import type { Ticket } from '@tandem/contracts';
import { fillMacro } from '@tandem/contracts/values';
import type { TicketsTx } from '../schema';
import { calendarOf, nextWorkingTime, type CalendarSettings } from '../sla/calendar';

/** The settings of an organization that rules read. */
export type RuleOrganization = CalendarSettings & { name: string };

export const findRuleOrganization = (tx: TicketsTx, organization_id: string): Promise<RuleOrganization> =>
  tx
    .selectFrom('organizations')
    .select(['name', 'time_zone', 'business_hours', 'holidays'])
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow();

/** Always true without business hours. */
export function isBusinessTime(organization: CalendarSettings, at: string): boolean {
  const calendar = calendarOf(organization);
  return calendar === null || nextWorkingTime(calendar, Date.parse(at)) === Date.parse(at);
}

/** The text of a rule with the values of its variables; the organization is the sender. */
export const fillRuleText = (text: string, ticket: Ticket, { name }: Pick<RuleOrganization, 'name'>): string =>
  fillMacro(text, {
    'customer.name': ticket.customer_name ?? ticket.customer_email,
    'customer.email': ticket.customer_email,
    'ticket.number': ticket.ticket_number,
    'ticket.subject': ticket.subject,
    'agent.name': name,
    'agent.first_name': name,
    'organization.name': name,
  });
