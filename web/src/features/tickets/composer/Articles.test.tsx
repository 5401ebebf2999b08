import { screen, waitFor, within } from '@testing-library/react';
import type { ArticleSummary } from '@tandem/contracts';
import { http } from 'msw';
import { aTicket, anId, backend, branding } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { publishedFirst, withoutPictures } from './ArticlePicker';

const anArticle = (changes: Partial<ArticleSummary> = {}): ArticleSummary => ({
  id: anId(),
  number: 12,
  title: 'Refund a payment',
  summary: 'How to return money.',
  language: 'en',
  category_id: null,
  visibility: 'public',
  state: 'published',
  has_unpublished_changes: false,
  published_title: 'Refund a payment',
  published_at: '2026-11-20T10:05:00.000Z',
  updated_at: '2026-11-20T10:05:00.000Z',
  updated_by: null,
  deleted_at: null,
  ...changes,
});
const refund = anArticle({ title: 'Refund [draft title]', has_unpublished_changes: true });
const internal = anArticle({ number: 13, title: 'Check the bank', published_title: 'Check the bank', visibility: 'internal' });
const draft = anArticle({ number: 14, title: 'Chargebacks', state: 'draft', published_title: null, published_at: null });

const bodies: Record<string, string> = { [internal.id]: 'Ask **Ada** first.', [draft.id]: 'Not ready.' };
let searches: (string | null)[];
beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket()];
  searches = [];
  server.use(
    http.get(api('/articles'), ({ request }) => {
      const q = new URL(request.url).searchParams.get('q');
      searches.push(q);
      const found = [draft, internal, refund].filter(({ title }) => title.toLowerCase().includes(q?.toLowerCase() ?? ''));
      return answer(found, { pagination: { page: 1, limit: 8, total: found.length, next_cursor: null } });
    }),
    http.get(api('/articles/:id'), ({ params }) =>
      answer({ ...refund, body: bodies[String(params.id)] ?? 'Draft text', latest_version: 2 }),
    ),
    http.get(api('/articles/:id/versions/2'), () =>
      answer({ number: 2, title: 'Refund a payment', body: 'Choose **Refund**.\n\n![Menu](menu.png)\n\nDone.', language: 'en' }),
    ),
  );
});

const open = () => renderApp(`/tickets/${backend.tickets[0]!.id}`);
const reply = () => screen.findByRole('textbox', { name: 'Public reply' });
const search = () => screen.findByRole('combobox', { name: 'Search articles' });
const option = (name: RegExp) => screen.findByRole('option', { name });
const link = 'http://northwindcoffee.localhost/help/12-refund-a-payment';

it('opens the search with ?? at the start of a word, and replaces it with a link to the published article', async () => {
  const { person } = open();
  await person.type(await reply(), 'What?? See ??');
  await person.type(await search(), 'refund');
  await waitFor(() => expect(searches).toContain('refund'));
  await waitFor(() => expect(screen.queryByRole('option', { name: /Chargebacks/ })).not.toBeInTheDocument());
  await option(/Refund a payment/);
  await person.keyboard('{Enter}');
  await waitFor(async () => expect(await reply()).toHaveValue(`What?? See [Refund a payment](${link})`));
});

it('inserts the article that the search finds if Enter is pressed before it returns', async () => {
  const { person } = open();
  await person.type(await reply(), 'See ??');
  await option(/Chargebacks/);
  await person.type(await search(), 'refund{Enter}');
  await waitFor(async () => expect(await reply()).toHaveValue(`See [Refund a payment](${link})`));
});

it('keeps ?? as text when the search is closed', async () => {
  const { person } = open();
  await person.type(await reply(), '??');
  await search();
  await person.keyboard('{Escape}');
  await waitFor(async () => expect(await reply()).toHaveFocus());
  expect(await reply()).toHaveValue('??');
  expect(screen.queryByRole('combobox', { name: 'Search articles' })).not.toBeInTheDocument();
});

it('opens from the toolbar and with b, and links to the verified domain of the help pages', async () => {
  server.use(
    http.get(api('/branding'), () => answer({ ...branding, custom_domain: 'help.northwind.example', custom_domain_verified: true })),
  );
  const { person } = open();
  await reply();
  await person.keyboard('b');
  await search();
  await person.keyboard('{Escape}');
  await person.click(screen.getByRole('button', { name: 'Insert an article' }));
  await waitFor(() => expect(backend.calls).toContain('GET /branding'));
  await person.click(await option(/Refund a payment/));
  await waitFor(async () =>
    expect(await reply()).toHaveValue('[Refund a payment](https://help.northwind.example/help/12-refund-a-payment)'),
  );
});

it('inserts the published text, without pictures, on Shift+Enter and with the checkbox', async () => {
  const { person } = open();
  await person.type(await reply(), '??');
  await search();
  await option(/Refund a payment/);
  await person.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}{ArrowUp}{Shift>}{Enter}{/Shift}');
  await waitFor(async () => expect(await reply()).toHaveValue('Choose **Refund**.\n\nDone.'));
  await person.clear(await reply());
  await person.type(await reply(), '??');
  await search();
  await person.click(screen.getByRole('checkbox', { name: 'Insert the text instead of a link' }));
  await person.click(await option(/Refund a payment/));
  await waitFor(async () => expect(await reply()).toHaveValue('Choose **Refund**.\n\nDone.'));
});

it('explains in a reply why a draft or an internal article has no link, and inserts its text', async () => {
  const { person } = open();
  await person.type(await reply(), '??');
  await search();
  expect(await option(/Chargebacks/)).toHaveTextContent('Customers can’t open it, so its text is inserted.');
  const found = await option(/Check the bank/);
  expect(found).toHaveTextContent('Internal article. Customers can’t open it, so its text is inserted.');
  await person.click(found);
  await waitFor(async () => expect(await reply()).toHaveValue('Ask **Ada** first.'));
});

it('links to the staff page of an internal article in a note', async () => {
  const { person } = open();
  await reply();
  await person.keyboard('n');
  const note = await screen.findByRole('textbox', { name: 'Internal note' });
  await person.type(note, '??');
  await search();
  const found = await option(/Check the bank/);
  expect(found).not.toHaveTextContent('Customers can’t open it');
  await person.click(found);
  await waitFor(() => expect(note).toHaveValue(`[Check the bank](${location.origin}/articles/${internal.id})`));
});

it('reports articles that could not be loaded', async () => {
  server.use(http.get(api('/articles'), () => refuse('internal')));
  const { person } = open();
  await person.type(await reply(), '??');
  const dialog = within(await screen.findByRole('dialog', { name: 'Insert an article' }));
  expect(await dialog.findByText('Couldn’t load the articles')).toBeInTheDocument();
});

it('lists published articles before drafts, and removes pictures from texts', () => {
  expect(publishedFirst([draft, internal, refund])).toEqual([internal, refund, draft]);
  expect(withoutPictures('![A](a.png)\n\nText ![B](b c.png)')).toBe('Text');
});

it('drafts an article from a ticket that was answered, and opens it', async () => {
  backend.tickets = [aTicket({ first_response_at: '2026-11-20T10:05:00.000Z' })];
  const drafted = anArticle({ state: 'draft', visibility: 'internal' });
  server.use(
    http.post(api('/tickets/:id/article'), () => answer({ ...drafted, body: '' }, { status: 201 })),
    http.get(api('/article-categories'), () => answer([])),
  );
  const { person, address } = open();
  await reply();
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Create article from ticket' }));
  await waitFor(() => expect(address()).toBe(`/articles/${drafted.id}`));
});

it('stays on the ticket if no article could be drafted, and offers none without a reply', async () => {
  backend.tickets = [aTicket({ first_response_at: '2026-11-20T10:05:00.000Z' })];
  server.use(http.post(api('/tickets/:id/article'), () => refuse('article.too_many')));
  const { person, address, unmount } = open();
  await reply();
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Create article from ticket' }));
  expect(await screen.findByText(/^Couldn’t create the article/)).toBeInTheDocument();
  expect(address()).toContain('/tickets/');
  unmount();
  backend.tickets = [aTicket({ first_response_at: null })];
  open();
  await reply();
  await person.click(await screen.findByRole('button', { name: 'More actions' }));
  await screen.findByRole('menuitem', { name: 'Copy link' });
  expect(screen.queryByRole('menuitem', { name: 'Create article from ticket' })).not.toBeInTheDocument();
});
