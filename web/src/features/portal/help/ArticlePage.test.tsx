import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { renderApp } from '../../../testing/render';
import { api, refuse, server } from '../../../testing/server';
import { publicOrganization, serveSite } from '../../../testing/site';
import { anArticle, aPicture, FakeHelp } from './testing';

const body = `# Before you start
## Find the payment
### By number
Look it up.
## Find the payment
![The payment](payment.png) ![Nothing](missing.png)`;
const picture = aPicture('payment.png');

let help: FakeHelp;
beforeEach(() => {
  serveSite({ kind: 'portal', organization: publicOrganization() });
  help = new FakeHelp([anArticle({ body, pictures: [picture], related: [anArticle({ number: 13, title: 'Refund times' })] })]);
  server.use(...help.handlers());
});
afterEach(() => {
  jest.restoreAllMocks();
  document.querySelector('#first-html')?.remove();
});

const open = async (path = '/help/12-refund-a-payment') => {
  const view = renderApp(path);
  await screen.findByRole('heading', { level: 1, name: 'Refund a payment' });
  return view;
};
const rating = () => within(screen.getByRole('region', { name: 'Did this help?' }));

it('shows the article with its sections, pictures and related articles', async () => {
  await open('/help/12-an-old-title');
  const article = within(screen.getByRole('article'));
  const sections = article.getAllByRole('heading', { level: 2 }).map(({ textContent, id }) => [textContent, id]);
  expect(sections).toEqual([
    ['Before you start', 'before-you-start'],
    ['Find the payment', 'find-the-payment'],
    ['Find the payment', 'find-the-payment-2'],
  ]);
  expect(article.getByRole('heading', { level: 3 })).toHaveTextContent('By number');
  expect(article.getByRole('img', { name: 'The payment' })).toHaveAttribute('src', `/api/v1/public/article-pictures/${picture.id}`);
  expect(article.getByText('[Nothing]')).toBeInTheDocument();
  expect(within(screen.getByRole('region', { name: 'Related articles' })).getByRole('link')).toHaveAttribute(
    'href',
    '/help/13-refund-times',
  );
  const path = within(screen.getByRole('navigation', { name: 'You are here' })).getAllByRole('link');
  expect(path.map((link) => link.getAttribute('href'))).toEqual(['/help', '/help/categories/3-payments']);
  expect(document.title).toBe('Refund a payment · Northwind Coffee');
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('has a table of contents from three sections on', async () => {
  const { unmount } = await open();
  const links = within(screen.getByRole('navigation', { name: 'On this page' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#before-you-start', '#find-the-payment', '#find-the-payment-2']);
  unmount();
  help.articles = [anArticle({ body: '## One\n## Two\n### Three' })];
  await open();
  expect(screen.queryByRole('navigation', { name: 'On this page' })).not.toBeInTheDocument();
});

it('opens a related article at its top', async () => {
  help.articles.push(anArticle({ number: 13, title: 'Refund times' }));
  const { person } = await open();
  document.documentElement.scrollTop = 500;
  await person.click(screen.getByRole('link', { name: 'Refund times' }));
  await screen.findByRole('heading', { level: 1, name: 'Refund times' });
  expect(document.documentElement.scrollTop).toBe(0);
  await waitFor(() => expect(help.uses.map((use) => 'number' in use && use.number)).toEqual([12, 13]));
});

it('scrolls to the section of a link once the article has loaded', async () => {
  const scrolled: string[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this.id);
  });
  await open('/help/12#find-the-payment-2');
  await waitFor(() => expect(scrolled).toEqual(['find-the-payment-2']));
});

it.each([
  ['2026-11-20T18:00:00.000Z', 'Published Nov 20, 2026'],
  ['2026-11-24T10:05:00.000Z', 'Published Nov 20, 2026 · Updated Nov 24, 2026'],
])('shows when it was published and, if that was on another day, updated: %s', async (published_at, dates) => {
  help.articles = [anArticle({ published_at })];
  await open();
  expect(screen.getByText(dates)).toBeInTheDocument();
});

it('has the language and direction of the article, not of the page', async () => {
  help.articles = [anArticle({ language: 'ar', body: 'افتح الدفعة' })];
  await open();
  expect(screen.getByText('افتح الدفعة').closest('[lang]')).toHaveAttribute('lang', 'ar');
  expect(screen.getByRole('heading', { level: 1 })).toHaveAttribute('dir', 'rtl');
  expect(document.documentElement.lang).toBe('en');
});

it('sends the rating of a reader, with the same random value each time', async () => {
  const { person } = await open();
  await person.click(rating().getByRole('button', { name: 'Yes' }));
  expect(rating().getByRole('status')).toHaveTextContent('Thanks for your feedback.');
  expect(rating().getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true');
  expect(rating().queryByLabelText(/What was missing/)).not.toBeInTheDocument();
  await person.click(rating().getByRole('button', { name: 'No' }));
  await waitFor(() => expect(help.ratings).toHaveLength(2));
  expect(help.ratings.map(({ number, helpful }) => [number, helpful])).toEqual([
    ['12', true],
    ['12', false],
  ]);
  expect(help.ratings[0]!.reader).toMatch(/^[\w-]{16,40}$/);
  expect(help.ratings[1]!.reader).toBe(help.ratings[0]!.reader);
  expect(localStorage.getItem('help-reader')).toBe(help.ratings[0]!.reader);
});

it('asks what was missing after No, and keeps the remark if it cannot be sent', async () => {
  const { person } = await open();
  await person.click(rating().getByRole('button', { name: 'No' }));
  await waitFor(() => expect(help.ratings).toHaveLength(1));
  await person.type(rating().getByLabelText(/What was missing/), 'Partial refunds');
  server.use(http.put(api('/public/articles/:number/rating'), () => refuse('service.unavailable')));
  await person.click(rating().getByRole('button', { name: 'Send feedback' }));
  expect(await rating().findByRole('alert')).toBeInTheDocument();
  expect(rating().getByLabelText(/What was missing/)).toHaveValue('Partial refunds');
  server.use(...help.handlers());
  await person.click(rating().getByRole('button', { name: 'Send feedback' }));
  await waitFor(() => expect(rating().queryByLabelText(/What was missing/)).not.toBeInTheDocument());
  expect(help.ratings[1]).toMatchObject({ helpful: false, remark: 'Partial refunds' });
  expect(within(screen.getByRole('main')).getByRole('link', { name: 'Submit a ticket' })).toHaveAttribute('href', '/submit-ticket');
});

it('can be rated if the browser blocks localStorage', async () => {
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('Blocked');
  });
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('Blocked');
  });
  const { person } = await open();
  await person.click(rating().getByRole('button', { name: 'Yes' }));
  await waitFor(() => expect(help.ratings).toHaveLength(1));
});

it('counts a view once per page, when the reader sees it', async () => {
  const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const { person } = await open();
  expect(help.uses).toEqual([]);
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  document.dispatchEvent(new Event('visibilitychange'));
  await waitFor(() => expect(help.uses).toEqual([{ type: 'view', number: 12 }]));
  await person.click(rating().getByRole('button', { name: 'Yes' }));
  expect(help.uses).toHaveLength(1);
});

it('leaves the first HTML on the page until the article has loaded', async () => {
  document.body.insertAdjacentHTML('afterbegin', '<div id="first-html"><h1>From the gateway</h1></div>');
  let respond: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    server.use(
      http.get(api('/public/articles/:number'), async () => {
        resolve();
        await new Promise<void>((done) => (respond = done));
        return undefined;
      }),
    );
  });
  renderApp('/help/12');
  await asked;
  expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['From the gateway']);
  respond();
  expect(await screen.findByRole('heading', { level: 1, name: 'Refund a payment' })).toBeInTheDocument();
  expect(screen.queryByText('From the gateway')).not.toBeInTheDocument();
});

it('offers to try again if the article does not load', async () => {
  server.use(http.get(api('/public/articles/:number'), () => refuse('limit.exceeded')));
  const { person } = renderApp('/help/12');
  await screen.findByText('Couldn’t load this page');
  server.use(...help.handlers());
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Refund a payment' })).toBeInTheDocument();
});
