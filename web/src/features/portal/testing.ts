import { fireEvent, screen } from '@testing-library/react';
import type { PublicBranding, PublicTicket } from '@tandem/contracts';
import { createTranslator, type CompiledCatalog } from '@tandem/languages/runtime';
import portalTexts from '@tandem/languages/catalogs/portal/en.json';
import { http } from 'msw';
import { anId, organization } from '../../testing/backend';
import { answer, api, server } from '../../testing/server';
import type { PortalTranslate } from './language/texts';

/** The English texts. The tests compile catalogs like the build. */
export const english: PortalTranslate = createTranslator('en', portalTexts as unknown as CompiledCatalog);

const at = '2026-11-20T10:05:00.000Z';

/** A ticket as the public API returns it. */
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
  language: null,
  created_at: at,
  updated_at: at,
  resolved_at: null,
  merged_into: null,
  follow_up_of: null,
  writing: 'comment',
  attachments: [],
  earlier_cursor: null,
  custom_fields: [],
  comments: [],
  ...overrides,
});

/** React reads the submitted form with FormData on navigation. The test environment has Node's, which does not accept forms. */
class FormDataOfForms extends FormData {
  constructor(_form?: HTMLFormElement) {
    super();
  }
}

/** Serves the page on Northwind's portal host, with handlers for file uploads. */
export function portal(brandingChanges: Partial<PublicBranding> = {}): void {
  Object.assign(globalThis, { FormData: FormDataOfForms });
  sessionStorage.clear();
  const { id, name, subdomain, default_priority, languages } = organization;
  const branding = {
    primary_color: '#3B82F6',
    secondary_color: '#8B5CF6',
    logo_url: null,
    favicon_url: null,
    hide_powered_by: false,
    css: '',
    ...brandingChanges,
  };
  server.use(
    http.get(api('/public/organization'), () => answer({ id, name, subdomain, default_priority, languages, branding })),
    http.get(api('/public/form-fields'), () => answer([])),
    http.post(api('/public/attachments'), () => {
      const attachment_id = anId();
      return answer(
        { attachment_id, upload_url: `/api/v1/files/${attachment_id}`, expires_at: '2030-01-01T00:00:00.000Z' },
        { status: 201 },
      );
    }),
    http.put(api('/files/:token'), () => answer({})),
  );
}

export const aFile = (name = 'bags.txt', type = 'text/plain') => new File(['bytes'], name, { type });
/** Simulates choosing files in the file picker. */
export const choose = (...files: File[]) =>
  fireEvent.change(screen.getByLabelText('Attach files', { selector: 'input' }), { target: { files } });
