import type { CreateMacro, CreateView } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { insertMacro } from '../macro/macro.store';
import type { TicketsTx } from '../schema';
import { insertView } from '../view/view.store';

const demoMacros: readonly Pick<CreateMacro, 'name' | 'content' | 'translations' | 'changes' | 'is_internal'>[] = [
  {
    name: 'Ask for the order number',
    content: 'Hello {{customer.name}},\n\nCould you send us the order number? It is on the invoice, below the date.\n\n{{agent.first_name}}',
    translations: {
      de: 'Guten Tag {{customer.name}},\n\nkönnten Sie uns die Bestellnummer nennen? Sie steht auf der Rechnung unter dem Datum.\n\n{{agent.first_name}}',
    },
    changes: { status: 'waiting_for_customer' },
    is_internal: false,
  },
  {
    name: 'Solved, anything else?',
    content:
      'Hello {{customer.name}},\n\nThis should be solved now. If anything is still open, just reply to this message. Your ticket number is {{ticket.number}}.\n\n{{agent.first_name}} from {{organization.name}}',
    translations: {
      de: 'Guten Tag {{customer.name}},\n\ndas sollte jetzt gelöst sein. Falls noch etwas offen ist, antworten Sie einfach auf diese Nachricht. Ihre Ticketnummer ist {{ticket.number}}.\n\n{{agent.first_name}} von {{organization.name}}',
    },
    changes: { status: 'resolved' },
    is_internal: false,
  },
  { name: 'Hand over to billing', content: 'For billing: please check the account and take it from here.', translations: {}, changes: { priority: 'high', tags: ['billing'] }, is_internal: true },
]; // prettier-ignore

const demoViews: readonly Pick<CreateView, 'name' | 'filter'>[] = [
  { name: 'Due first', filter: { status: ['open', 'in_progress'], sort: 'due' } },
  { name: 'Urgent and high', filter: { status: ['open', 'in_progress'], priority: ['urgent', 'high'] } },
];

/** Writes the shared canned replies and views of the demo organization; its admin owns them. */
export async function insertDemoMacrosAndViews(tx: TicketsTx, organization_id: string, owner_id: string, now: string): Promise<void> {
  const shared = { is_shared: true, owner_id };
  for (const macro of demoMacros) await insertMacro(tx, organization_id, { ...macro, ...shared, id: newId(), updated_at: now });
  for (const view of demoViews) await insertView(tx, organization_id, { ...view, ...shared, id: newId(), created_at: now });
}
