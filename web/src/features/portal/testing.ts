import type { PublicTicket } from '@tandem/contracts';
import { http } from 'msw';
import { anId, organization } from '../../testing/house';
import { answer, api, server } from '../../testing/server';

const at = '2026-11-20T10:05:00.000Z';

/** A ticket as its customer may see it. */
export const aPublicTicket = (overrides: Partial<PublicTicket> = {}): PublicTicket => ({
  id: anId(),
  ticket_number: 'NC-0042',
  subject: 'Wrong grind',
  description: 'All twelve bags came ground.',
  status: 'open',
  priority: 'medium',
  category: null,
  customer_name: 'Jonas Weber',
  customer_email: 'jonas@example.com',
  created_at: at,
  updated_at: at,
  resolved_at: null,
  merged_into: null,
  comments: [],
  ...overrides,
});

/** React reads the form of a submission that leads to another page. The test environment lends Node's FormData, which knows no forms. */
class FormDataOfForms extends FormData {
  constructor(_form?: HTMLFormElement) {
    super();
  }
}

/** The page's host is Northwind's portal. */
export function portal(): void {
  Object.assign(globalThis, { FormData: FormDataOfForms });
  const { id, name, subdomain } = organization;
  server.use(http.get(api('/public/organization'), () => answer({ id, name, subdomain })));
}
