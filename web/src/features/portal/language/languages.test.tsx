import { screen, waitFor, within } from '@testing-library/react';
import englishTexts from '@tandem/languages/catalogs/portal/en.json';
import { languages, type Language } from '@tandem/contracts/values';
import { http } from 'msw';
import { formatRelative } from '../../../lib/dates';
import { englishUiTexts } from '../../../lib/ui-texts';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { publicOrganization, serveSite } from '../../../testing/site';
import { aPublicTicket, portal } from '../testing';
import { loadTexts } from './texts';

const page = document.documentElement;

/** Opens Northwind's portal, which offers these languages, in a browser that prefers the given ones. */
function offering(offered: readonly Language[], more: { fallback?: Language; browser?: string[]; gateway?: Language } = {}) {
  const { fallback = 'en', browser = ['en-US'], gateway } = more;
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(browser);
  serveSite({
    kind: 'portal',
    organization: publicOrganization({ languages: { default: fallback, offered: [...offered] } }),
    ...(gateway ? { language: gateway } : {}),
  });
}

beforeEach(() => portal());
afterEach(() => {
  jest.restoreAllMocks();
  document.cookie = 'tandem_language=; path=/; max-age=0';
});

it('shows a page in the browser’s language, and sends it with the ticket', async () => {
  offering(languages, { browser: ['de-CH', 'en'] });
  const ticket = aPublicTicket({ language: 'de' });
  let body: unknown;
  server.use(
    http.post(api('/public/tickets'), async ({ request }) => {
      body = await request.json();
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  const { person } = renderApp('/submit-ticket');
  expect(await screen.findByRole('heading', { name: 'Wie können wir Ihnen helfen?' })).toBeInTheDocument();
  expect([page.lang, page.dir]).toEqual(['de', 'ltr']);
  expect(document.title).toContain('Ticket erstellen');
  expect(screen.getByText('Bis zu 10 Dateien mit je höchstens 20 MB.')).toBeInTheDocument();

  await person.click(screen.getByRole('button', { name: 'Ticket senden' }));
  expect(await screen.findByText('Betreff und E-Mail sind Pflichtfelder.')).toBeInTheDocument();
  await person.type(screen.getByLabelText('E-Mail'), 'jonas@example.com');
  await person.type(screen.getByLabelText('Betreff'), 'Falsch gemahlen');
  await person.click(screen.getByRole('button', { name: 'Ticket senden' }));
  expect(await screen.findByText('Ihr Ticket wurde gesendet')).toBeInTheDocument();
  expect(body).toMatchObject({ subject: 'Falsch gemahlen', language: 'de' });
});

it('translates the server’s problems', async () => {
  offering(languages, { browser: ['de'] });
  server.use(
    http.post(api('/public/tickets'), () =>
      refuse('request.invalid', { errors: [{ path: 'customer_email', message: 'Enter a valid email address', code: 'invalid' }] }),
    ),
  );
  const { person } = renderApp('/submit-ticket');
  await person.type(await screen.findByLabelText('E-Mail'), 'jonas');
  await person.type(screen.getByLabelText('Betreff'), 'Falsch gemahlen');
  await person.click(screen.getByRole('button', { name: 'Ticket senden' }));
  expect(await screen.findByText('Geben Sie eine gültige E-Mail-Adresse ein')).toBeInTheDocument();
  expect(screen.getByText('Bitte prüfen Sie Ihre Angaben')).toBeInTheDocument();
});

it('shows the ticket’s page in the ticket’s language, from right to left in Arabic', async () => {
  offering(languages, { gateway: 'de' });
  const ticket = aPublicTicket({ language: 'ar', status: 'waiting_for_customer' });
  server.use(http.get(api('/public/tickets/:id'), () => answer(ticket)));
  renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com`);
  expect(await screen.findByRole('button', { name: 'إرسال التعليق' })).toBeInTheDocument();
  expect([page.lang, page.dir]).toEqual(['ar', 'rtl']);
  expect(screen.getByText('بانتظار ردك')).toBeInTheDocument();
  // A number from left to right stays in its place of the sentence.
  expect(screen.getByText(ticket.ticket_number).tagName).toBe('BDI');
});

it('prefers the language of the link to the ticket’s', async () => {
  offering(languages);
  const ticket = aPublicTicket({ language: 'ar' });
  server.use(http.get(api('/public/tickets/:id'), () => answer(ticket)));
  renderApp(`/ticket-status/${ticket.id}?email=jonas%40example.com&lang=fr`);
  expect(await screen.findByRole('button', { name: 'Envoyer le commentaire' })).toBeInTheDocument();
});

it('changes the language without losing typed text, and remembers it', async () => {
  offering(['en', 'pl']);
  const { person, address, unmount } = renderApp('/submit-ticket');
  await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
  const choice = screen.getByRole('combobox', { name: 'Language' });
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['English', 'Polski']);
  await person.selectOptions(choice, 'Polski');
  expect(await screen.findByLabelText('Temat')).toHaveValue('Wrong grind');
  expect(page.lang).toBe('pl');
  expect(address()).toBe('/submit-ticket?lang=pl');
  expect(document.cookie).toContain('tandem_language=pl');
  unmount();
  expect([page.lang, page.dir]).toEqual(['en', 'ltr']);

  renderApp('/ticket-status/check');
  expect(await screen.findByRole('heading', { name: 'Sprawdź status zgłoszenia' })).toBeInTheDocument();
});

it('falls back to the organization’s default, and offers no choice of one', async () => {
  offering(['it'], { fallback: 'it', browser: ['de', 'en'] });
  renderApp('/');
  expect(await screen.findByRole('heading', { name: 'Come possiamo aiutarla?' })).toBeInTheDocument();
  expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
});

it('shows the organization’s own texts, and the catalog’s where they cannot be used', async () => {
  serveSite({ kind: 'portal', organization: publicOrganization({ has_wording: true, languages: { default: 'nl', offered: ['nl'] } }) });
  const texts = { 'home.title': 'Hallo!', 'home.text': 'Kapot {naam', 'home.check': 'Ticket {nummer}', gone: 'Weg' };
  server.use(http.get(api('/public/wording/portal/nl'), () => answer({ version: '1', texts })));
  renderApp('/');
  expect(await screen.findByRole('heading', { name: 'Hallo!' })).toBeInTheDocument();
  expect(screen.getByText('Stuur ons een vraag of volg een vraag die u al hebt gestuurd.')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Ticket bekijken' })).toBeInTheDocument();
});

it('shows the survey in the ticket’s language', async () => {
  offering(languages, { gateway: 'de' });
  const { id, ticket_number, subject, status } = aPublicTicket();
  const ticket = { id, ticket_number, subject, status, language: 'ja' };
  server.use(http.get(api('/public/surveys/:id'), () => answer({ ticket, survey: null })));
  renderApp(`/survey/${id}?email=jonas%40example.com`);
  await waitFor(() => expect(screen.getByRole('radio', { name: '5、とても良い' })).toBeInTheDocument());
});

it('formats relative times and plurals by the language', async () => {
  const t = await loadTexts('pl', false);
  expect([1, 2, 5].map((minutes) => t('limit.wait', { time: '12:00', minutes }).match(/\((.*)\)/)?.[1])).toEqual([
    'za minutę',
    'za 2 minuty',
    'za 5 minut',
  ]);
  // Staff pages stay in English.
  expect(formatRelative(new Date(Date.now() - 300_000).toISOString())).toBe('5m ago');
});

it('has the same English texts for shared components on staff and customer pages', () => {
  // Compiled messages are lists of texts and values.
  const sourceOf = (message: unknown) =>
    (message as (string | [string])[]).map((part) => (typeof part === 'string' ? part : `{${part[0]}}`));
  const shared = Object.entries(englishTexts).filter(([key]) => key.startsWith('ui.'));
  expect(Object.fromEntries(shared.map(([key, message]) => [key.slice('ui.'.length), sourceOf(message).join('')]))).toEqual(englishUiTexts);
});

it('shows categories and the organization’s status names in the customer’s language, and stores the category’s name', async () => {
  jest.spyOn(navigator, 'languages', 'get').mockReturnValue(['es']);
  const categories = [
    { name: 'Billing', translations: { es: 'Facturación' } },
    { name: 'Delivery', translations: {} },
  ];
  const organization = publicOrganization({ has_wording: true, languages: { default: 'en', offered: ['en', 'es'] }, categories });
  serveSite({ kind: 'portal', organization });
  const texts = { 'status.waiting_for_customer': 'Esperamos su respuesta' };
  const ticket = aPublicTicket({ language: 'es', status: 'waiting_for_customer', category: 'Billing' });
  let body: unknown;
  server.use(
    http.get(api('/public/wording/portal/:language'), ({ params }) =>
      answer({ version: '1', texts: params.language === 'es' ? texts : {} }),
    ),
    http.post(api('/public/tickets'), async ({ request }) => {
      body = await request.json();
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(ticket)),
  );
  const { person } = renderApp('/submit-ticket');
  await person.type(await screen.findByLabelText('Correo electrónico'), 'jonas@example.com');
  await person.type(screen.getByLabelText('Asunto'), 'Falta la factura');
  const field = screen.getByRole('combobox', { name: /Categoría/, hidden: true });
  expect(
    within(field)
      .getAllByRole('option', { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual(['Elegir una categoría', 'Facturación', 'Delivery']);
  await person.selectOptions(field, 'Facturación');
  await person.click(screen.getByRole('button', { name: 'Enviar ticket' }));
  expect(await screen.findByText('Esperamos su respuesta')).toBeInTheDocument();
  expect(body).toMatchObject({ category: 'Billing' });
  expect(screen.getByText('Facturación', { selector: 'bdi' })).toBeInTheDocument();
});
