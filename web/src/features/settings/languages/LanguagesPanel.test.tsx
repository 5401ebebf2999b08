import type { CustomerText, Organization } from '@tandem/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { dropUnsentWork } from '../../../lib/session-cleanup';
import { backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

const aText = (changes: Partial<CustomerText> = {}): CustomerText => ({
  part: 'email',
  language: 'en',
  key: 'greeting.name',
  english: 'Hello {name},',
  original: 'Hello {name},',
  placeholders: ['name'],
  text: null,
  original_changed: false,
  updated_at: null,
  ...changes,
});

let saved: Organization;
let texts: CustomerText[];
let sent: unknown;
beforeEach(() => {
  backend.signIn();
  saved = { ...organization };
  texts = [
    aText(),
    aText({ key: 'subject.reply', original: 'New reply', english: 'New reply', placeholders: [] }),
    aText({ part: 'portal', key: 'submit', original: 'Send request' }),
  ];
  sent = undefined;
  server.use(
    http.get(api('/organizations/:id'), () => answer(saved)),
    http.patch(api('/organizations/:id'), async ({ request }) => {
      sent = await request.json();
      saved = { ...saved, ...(sent as object) };
      return answer(saved);
    }),
    http.get(api('/wording/:language'), ({ params }) => answer(texts.map((text) => ({ ...text, language: params.language })))),
    http.post(api('/wording/:part/:language/:key/preview'), async ({ request }) => {
      const { text } = (await request.json()) as { text: string };
      return answer({ preview: text.replace('{name}', 'Ada Lovelace') });
    }),
    http.put(api('/wording/:part/:language/:key'), async ({ request, params }) => {
      const { text } = (await request.json()) as { text: string };
      if (text.includes('{nobody}'))
        return refuse('request.invalid', { errors: [{ path: 'text', code: 'custom', message: 'Only {name} here' }] });
      sent = { ...params, text };
      texts = texts.map((each) => (each.key === params.key ? { ...each, text, original_changed: false } : each));
      return answer({ ...texts.find(({ key }) => key === params.key), language: params.language });
    }),
    http.delete(api('/wording/:part/:language/:key'), ({ params }) => {
      texts = texts.map((each) => (each.key === params.key ? { ...each, text: null } : each));
      return answer({ ...texts.find(({ key }) => key === params.key), language: params.language });
    }),
  );
});
// Drops the unsaved texts, which are kept in module state, as the end of a session does.
afterEach(dropUnsentWork);
const open = () => renderApp('/settings?tab=languages');
/** The panel has loaded when it shows its second card. */
const card = async (name: string) => {
  await screen.findByRole('region', { name: 'Custom wording' });
  return within(screen.getByRole('region', { name }));
};
const row = async (name: RegExp) => screen.findByRole('button', { name, expanded: false });

it('saves the default and the offered languages, of which the default one is always offered', async () => {
  const { person } = open();
  const form = await card('Languages');
  expect(form.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(form.getByRole('checkbox', { name: 'English' })).toBeDisabled();
  await person.click(form.getByRole('checkbox', { name: 'العربية' }));
  await person.click(form.getByRole('combobox', { name: 'Default language' }));
  await person.click(await screen.findByRole('option', { name: 'Deutsch' }));
  expect(form.getByRole('checkbox', { name: 'Deutsch' })).toBeChecked();
  expect(form.getByText('Unsaved: Default language, Offered languages')).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual({ languages: { default: 'de', offered: ['en', 'de', 'ar'] } }));
  expect(await screen.findByText('Languages saved')).toBeInTheDocument();
});

it('keeps a language that is chosen while others are being saved', async () => {
  let respond = () => undefined as void;
  const responded = new Promise<void>((resolve) => (respond = resolve));
  server.use(
    http.patch(api('/organizations/:id'), async ({ request }) => {
      const changes = (await request.json()) as object;
      await responded;
      return answer((saved = { ...saved, ...changes }));
    }),
  );
  const { person } = open();
  const form = await card('Languages');
  await person.click(form.getByRole('checkbox', { name: 'Deutsch' }));
  await person.click(form.getByRole('button', { name: 'Save' }));
  await person.click(form.getByRole('checkbox', { name: 'Français' }));
  respond();
  expect(await screen.findByText('Languages saved')).toBeInTheDocument();
  expect(form.getByRole('checkbox', { name: 'Français' })).toBeChecked();
  expect(form.getByText('Unsaved: Offered languages')).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Discard' }));
});

it('replaces a text with a preview, and restores the original', async () => {
  const { person } = open();
  const form = await card('Custom wording');
  await person.click(await row(/Hello \{name\},/));
  expect(form.getByText('Values you can use: {name}')).toBeInTheDocument();
  expect(await form.findByText('Hello Ada Lovelace,')).toBeInTheDocument();
  const field = form.getByRole('textbox', { name: 'Your text' });
  await person.click(field);
  await person.paste('Dear {name},');
  expect(await form.findByText('Dear Ada Lovelace,')).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual({ part: 'email', language: 'en', key: 'greeting.name', text: 'Dear {name},' }));
  expect(await form.findByText('Your text', { selector: 'span' })).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Restore the original' }));
  await person.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(texts[0]?.text).toBeNull());
  await waitFor(() => expect(form.queryByText('Your text', { selector: 'span' })).not.toBeInTheDocument());
});

it('keeps a refused text with its reason', async () => {
  const { person } = open();
  const form = await card('Custom wording');
  await person.click(await row(/Hello/));
  await person.click(form.getByRole('textbox', { name: 'Your text' }));
  await person.paste('Dear {nobody}');
  await person.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('Only {name} here')).toBeInTheDocument();
  expect(form.getByRole('textbox', { name: 'Your text' })).toHaveValue('Dear {nobody}');
  await person.click(form.getByRole('button', { name: 'Discard' }));
  expect(form.getByRole('textbox', { name: 'Your text' })).toHaveValue('');
});

it('keeps an unsaved text while another page is open', async () => {
  const { person, unmount } = open();
  const form = await card('Custom wording');
  await person.click(await row(/Hello/));
  await person.click(form.getByRole('textbox', { name: 'Your text' }));
  await person.paste('Dear {name},');
  unmount();
  open();
  const again = await card('Custom wording');
  expect(await again.findByText('Unsaved: 1 text')).toBeInTheDocument();
  expect(again.getByRole('button', { name: 'Save' })).toBeEnabled();
});

it('marks texts whose original has changed, searches all parts, and writes Arabic from right to left', async () => {
  saved = { ...saved, languages: { default: 'en', offered: ['en', 'ar'] } };
  texts[1] = { ...texts[1]!, text: 'News', original_changed: true };
  const { person } = open();
  const form = await card('Custom wording');
  expect(await form.findByText('Original changed')).toBeInTheDocument();
  expect(form.getByText('1 original has changed since you replaced it.')).toBeInTheDocument();
  expect(form.queryByText('Send request')).not.toBeInTheDocument();
  await person.type(form.getByRole('searchbox', { name: 'Search all texts' }), 'send');
  expect(await form.findByText('Send request')).toBeInTheDocument();
  await person.click(form.getByRole('combobox', { name: 'Language of the texts' }));
  await person.click(await screen.findByRole('option', { name: 'العربية' }));
  await person.click(await row(/Hello/));
  expect(form.getByRole('textbox', { name: 'Your text' })).toHaveAttribute('dir', 'rtl');
});

it('shows the names of a status in all parts together', async () => {
  texts.push(
    ...(['portal', 'widget', 'email'] as const).map((part) => aText({ part, key: 'status.waiting_for_customer', original: 'Pending' })),
  );
  const { person } = open();
  const form = await card('Custom wording');
  await person.click(await form.findByRole('combobox', { name: 'Where customers read it' }));
  await person.click(await screen.findByRole('option', { name: 'Status names, everywhere' }));
  expect(form.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['PendingPortal', 'PendingWidget', 'PendingEmails']);
});

it('saves categories with a name per language, and shows which one the server refuses', async () => {
  saved = { ...saved, languages: { default: 'en', offered: ['en', 'de', 'ar'] }, categories: [{ name: 'Billing', translations: {} }] };
  const { person } = open();
  const form = await card('Categories');
  await person.type(form.getByRole('textbox', { name: 'In Deutsch' }), 'Rechnung');
  await person.click(form.getByRole('button', { name: 'Add category' }));
  await person.type(form.getAllByRole('textbox', { name: 'Name' })[1]!, 'Delivery');
  await person.click(form.getByRole('combobox', { name: 'Language of the translations' }));
  await person.click(await screen.findByRole('option', { name: 'العربية' }));
  expect(form.getAllByRole('textbox', { name: 'In العربية' })[0]).toHaveAttribute('dir', 'rtl');
  await person.click(form.getByRole('button', { name: 'Save' }));
  const categories = [
    { name: 'Billing', translations: { de: 'Rechnung' } },
    { name: 'Delivery', translations: {} },
  ];
  await waitFor(() => expect(sent).toEqual({ categories }));
  expect(await screen.findByText('Categories saved')).toBeInTheDocument();

  const problem = { path: 'categories.1.name', code: 'custom', message: 'This category is already in the list' };
  server.use(http.patch(api('/organizations/:id'), () => refuse('request.invalid', { errors: [problem] })));
  await person.clear(form.getAllByRole('textbox', { name: 'Name' })[1]!);
  await person.type(form.getAllByRole('textbox', { name: 'Name' })[1]!, 'Billing');
  await person.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText(problem.message)).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Discard' }));
  await person.click(form.getByRole('button', { name: 'Remove Delivery' }));
  expect(form.getAllByRole('textbox', { name: 'Name' })).toHaveLength(1);
  expect(form.getByText('Unsaved: Categories')).toBeInTheDocument();
});
