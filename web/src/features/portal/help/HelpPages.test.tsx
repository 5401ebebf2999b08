import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { publicOrganization, serveSite } from '../../../testing/site';
import { anArticle, FakeHelp } from './testing';

let help: FakeHelp;
beforeEach(() => {
  serveSite({ kind: 'portal', organization: publicOrganization({ languages: { default: 'en', offered: ['en', 'de', 'ar'] } }) });
  help = new FakeHelp([
    anArticle(),
    anArticle({ number: 13, title: 'Refund times', language: 'de' }),
    anArticle({ number: 14, title: 'Change a card' }),
    anArticle({ number: 20, title: 'Export your data', category: null }),
  ]);
  server.use(...help.handlers());
});

const field = () => screen.findByRole('searchbox', { name: 'Search help articles' });
const violations = async () => (await axe.run(document.body, { resultTypes: ['violations'] })).violations.map(({ id }) => id);

it('shows categories with their first articles, and popular articles', async () => {
  renderApp('/help');
  const payments = within(await screen.findByRole('region', { name: 'Payments' }));
  expect(payments.getByText('Charges and refunds')).toBeInTheDocument();
  expect(payments.getByRole('link', { name: 'Refund a payment' })).toHaveAttribute('href', '/help/12-refund-a-payment');
  expect(payments.getByRole('link', { name: 'Show all 3 articles' })).toHaveAttribute('href', '/help/categories/3-payments');
  expect(within(screen.getByRole('region', { name: 'Other articles' })).getByText('Export your data')).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Popular articles' })).getByText('Refund a payment')).toBeInTheDocument();
  expect(screen.getByText('Refund times').closest('li')).toHaveAttribute('lang', 'de');
  expect(document.title).toBe('Help articles · Northwind Coffee');
  expect(await violations()).toEqual([]);
});

it('links to the form if there are no articles', async () => {
  help.articles = [];
  renderApp('/help');
  expect(await screen.findByText('There are no help articles yet.')).toBeInTheDocument();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Submit a ticket' })).toHaveAttribute('href', '/submit-ticket');
});

it('offers to try again if the articles do not load', async () => {
  server.use(http.get(api('/public/help'), () => refuse('limit.exceeded')));
  const { person } = renderApp('/help');
  await screen.findByText('Couldn’t load this page');
  server.use(http.get(api('/public/help'), () => answer(help.center())));
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('region', { name: 'Payments' })).toBeInTheDocument();
});

it('shows a category with all of its articles and their summaries', async () => {
  renderApp('/help/categories/3-an-old-name');
  expect(await screen.findByRole('heading', { level: 1, name: 'Payments' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Change a card' })).toHaveAttribute('href', '/help/14-change-a-card');
  expect(screen.getAllByText('How to return money to a customer.')).toHaveLength(3);
  expect(within(screen.getByRole('navigation', { name: 'You are here' })).getByRole('link')).toHaveAttribute('href', '/help');
  expect(await violations()).toEqual([]);
});

it.each([
  ['/help/99-gone', 'Article not found'],
  ['/help/about-us', 'Article not found'],
  ['/help/categories/99', 'Category not found'],
])('%s has a page with the search', async (path, title) => {
  const { person } = renderApp(path);
  expect(await screen.findByRole('heading', { level: 1, name: title })).toBeInTheDocument();
  await person.type(await field(), 'card');
  expect(await screen.findByRole('link', { name: 'Change a card' })).toBeInTheDocument();
});

it('searches as the reader types, once typing rests, and writes the query into the address', async () => {
  const { person, address } = renderApp('/help');
  await person.type(await field(), 'refund');
  const results = within(await screen.findByRole('list', { name: '2 articles found' }));
  expect(help.searches).toEqual(['search: refund']);
  expect(address()).toBe('/help?q=refund');
  expect(screen.queryByRole('region', { name: 'Popular articles' })).not.toBeInTheDocument();
  expect(results.getByRole('link', { name: 'Refund a payment' })).toHaveAttribute('href', '/help/12-refund-a-payment');
  expect(results.getAllByText('How to return money to a customer.')).toHaveLength(2);
  await waitFor(() => expect(screen.getByText('2 articles found', { selector: '[aria-live]' })).toBeInTheDocument());
  await person.clear(await field());
  expect(await screen.findByRole('region', { name: 'Popular articles' })).toBeInTheDocument();
  expect(address()).toBe('/help');
});

it('shows the results of the address, and keeps its language', async () => {
  const { address } = renderApp('/help?q=card&lang=de');
  expect(await screen.findByRole('list', { name: '1 Artikel gefunden' })).toBeInTheDocument();
  expect(await screen.findByRole('searchbox', { name: 'Hilfeartikel durchsuchen' })).toHaveValue('card');
  expect(address()).toBe('/help?q=card&lang=de');
});

it('ignores the response to an earlier search', async () => {
  let respond: () => void = () => undefined;
  server.use(
    http.get(api('/public/help/search'), async ({ request }) => {
      const query = new URL(request.url).searchParams.get('q')!;
      if (query === 'card') await new Promise<void>((resolve) => (respond = resolve));
      return answer(help.find(query));
    }),
  );
  renderApp('/help');
  fireEvent.change(await field(), { target: { value: 'card' } });
  await waitFor(() => expect(backend.calls.some((each) => each.includes('q=card'))).toBe(true));
  fireEvent.change(await field(), { target: { value: 'export' } });
  expect(await screen.findByRole('link', { name: 'Export your data' })).toBeInTheDocument();
  respond();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('link', { name: 'Change a card' })).not.toBeInTheDocument();
});

it('moves between the field and the results with the arrow keys, and opens one with Enter', async () => {
  const { person, address } = renderApp('/help');
  await person.type(await field(), 'refund');
  await screen.findByRole('list', { name: '2 articles found' });
  await person.keyboard('{ArrowDown}{ArrowDown}');
  expect(screen.getByRole('link', { name: 'Refund times' })).toHaveFocus();
  await person.keyboard('{ArrowUp}{ArrowUp}');
  expect(await field()).toHaveFocus();
  await person.keyboard('{ArrowDown}{Enter}');
  expect(await screen.findByRole('heading', { level: 1, name: 'Refund a payment' })).toBeInTheDocument();
  expect(address()).toBe('/help/12-refund-a-payment');
});

it('links to the form if a search finds nothing', async () => {
  const { person } = renderApp('/help');
  await person.type(await field(), 'warranty');
  expect(await screen.findByText('No articles match “warranty”', { selector: 'p' })).toBeInTheDocument();
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'submit a ticket' })).toHaveAttribute('href', '/submit-ticket');
  expect(await violations()).toEqual([]);
});

it('offers to repeat a search that failed', async () => {
  server.use(http.get(api('/public/help/search'), () => refuse('service.unavailable')));
  const { person } = renderApp('/help');
  await person.type(await field(), 'card');
  await screen.findByText('Couldn’t search the articles');
  server.use(...help.handlers());
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('link', { name: 'Change a card' })).toBeInTheDocument();
});

it('counts a search once, when the reader has finished typing', async () => {
  const { person } = renderApp('/help');
  await person.type(await field(), 'warranty');
  await screen.findByText('No articles match “warranty”', { selector: 'p' });
  expect(help.uses).toEqual([]);
  await waitFor(() => expect(help.uses).toEqual([{ type: 'search', query: 'warranty', results: 0 }]), { timeout: 3_000 });
});

it('counts a search when the reader opens a result, also if counting fails', async () => {
  server.use(
    http.post(api('/public/help/uses'), async ({ request }) => {
      help.uses.push((await request.json()) as (typeof help.uses)[number]);
      return refuse('limit.exceeded');
    }),
  );
  const { person } = renderApp('/help');
  await person.type(await field(), 'card');
  await person.click(await screen.findByRole('link', { name: 'Change a card' }));
  await screen.findByRole('heading', { level: 1, name: 'Change a card' });
  await waitFor(() => expect(help.uses).toHaveLength(2));
  // Two requests, which may arrive in either order.
  expect(help.uses).toEqual(
    expect.arrayContaining([
      { type: 'search', query: 'card', results: 1 },
      { type: 'view', number: 14 },
    ]),
  );
});

it('is linked from the home page and, once known, from other pages, if there are articles', async () => {
  server.use(http.get(api('/public/form-fields'), () => answer([])));
  const { person, unmount } = renderApp('/');
  const section = within(await screen.findByRole('region', { name: 'Help articles' }));
  expect(section.getByRole('link', { name: 'Refund a payment' })).toBeInTheDocument();
  expect(await violations()).toEqual([]);
  await person.click(screen.getByRole('link', { name: 'Submit a ticket' }));
  await screen.findByLabelText('Subject');
  expect(within(screen.getByRole('navigation')).getByRole('link', { name: 'Help articles' })).toHaveAttribute('href', '/help');
  unmount();
  help.articles = [];
  renderApp('/');
  await screen.findByRole('heading', { name: 'How can we help?' });
  await waitFor(() => expect(sessionStorage.getItem('help-has-articles')).toBe('false'));
  expect(screen.queryByRole('link', { name: 'Help articles' })).not.toBeInTheDocument();
});

it('is written from right to left in Arabic', async () => {
  renderApp('/help?lang=ar');
  expect(await screen.findByRole('heading', { name: 'ابحث عن إجابة' })).toBeInTheDocument();
  expect(document.documentElement.dir).toBe('rtl');
  expect((await screen.findAllByText('Refund a payment'))[0]!.closest('li')).toHaveAttribute('dir', 'ltr');
});
