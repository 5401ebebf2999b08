/** @jsxImportSource preact */
import { screen, waitFor, within } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import axe from 'axe-core';
import { http } from 'msw';
import { render } from 'preact';
import type { PublicArticle } from '@tandem/contracts';
import type { Language } from '@tandem/contracts/values';
import { anId } from '../../testing/backend';
import { answer, api, refuse, server } from '../../testing/server';
import { App } from './App';
import { readParameters } from './parameters';
import { widgetStorage } from './storage';

const at = '2026-11-20T10:05:00.000Z';
const pictureId = anId();
const anArticle = (number: number, title: string, language: Language = 'en'): PublicArticle => ({
  number,
  title,
  summary: null,
  language,
  body: '## Where\nOpen the **payment**.\n\n![The payment](payment.png) ![Nothing](missing.png)',
  category: null,
  pictures: [{ id: pictureId, file_name: 'payment.png', size: 1_000, content_type: 'image/png', created_at: at }],
  first_published_at: at,
  published_at: at,
  related: [],
});

let articles: PublicArticle[];
let language: Language;
let searches: string[];
let uses: unknown[];

beforeEach(() => {
  articles = [anArticle(12, 'Refund a payment'), anArticle(13, 'Zahlung erstatten', 'de')];
  language = 'en';
  searches = [];
  uses = [];
  const ofAcme = (request: Request, respond: (query: URLSearchParams) => Response) => {
    const { searchParams } = new URL(request.url);
    return searchParams.get('organization') === 'acme' ? respond(searchParams) : refuse('organization.not_found');
  };
  server.use(
    http.get(api('/widget/v1/config'), () =>
      answer({
        name: 'Northwind Coffee',
        branding: { primary_color: '#3B82F6', secondary_color: '#8B5CF6', logo_url: null, favicon_url: null, hide_powered_by: false },
        identity_required: false,
        theme: 'auto',
        portal_url: 'https://acme.desk.example',
        languages: { default: language, offered: [language] },
      }),
    ),
    http.get(api('/widget/v1/form-fields'), () => answer([])),
    http.get(api('/widget/v1/help/search'), ({ request }) =>
      ofAcme(request, (query) => {
        searches.push(`${query.get('for')} ${query.get('language')}: ${query.get('q')}`);
        return answer(articles.map((article) => ({ ...article, excerpt: null, category_name: null })));
      }),
    ),
    http.get(api('/widget/v1/articles/:number'), ({ request, params }) =>
      ofAcme(request, () => {
        const article = articles.find(({ number }) => String(number) === params.number);
        return article ? answer(article) : refuse('article.not_found');
      }),
    ),
    http.post(api('/widget/v1/help/uses'), async ({ request }) => {
      uses.push(await request.json());
      return answer({}, { status: 202 });
    }),
  );
});
afterEach(() => {
  render(null, document.body);
  document.documentElement.dir = 'ltr';
});

async function openForm() {
  render(<App parameters={readParameters({ search: '?organization=acme', hash: '' })} />, document.body);
  const [subject] = await screen.findAllByRole('textbox');
  return { person: userEvent.setup(), subject: subject as HTMLInputElement };
}
const section = () => screen.findByRole('region', { name: 'These articles may help' });
const suggestions = () => screen.queryByRole('region', { name: 'These articles may help' });
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const violations = async () =>
  (await axe.run(document.body, { resultTypes: ['violations'], rules: { region: { enabled: false } } })).violations.map(({ id }) => id);

it('suggests articles once the visitor has typed a subject, and announces their number', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund');
  await rest(450);
  expect(searches).toEqual([]);
  await person.type(subject, ' me');
  const titles = within(await section()).getAllByRole('button');
  expect(titles.map(({ textContent, lang }) => [textContent, lang])).toEqual([
    ['Refund a payment', 'en'],
    ['Zahlung erstatten', 'de'],
  ]);
  expect(searches).toEqual(['suggestions en: Refund me']);
  expect(screen.getByText('2 articles may help')).toHaveAttribute('role', 'status');
  expect(subject).toHaveFocus();
  expect(await violations()).toEqual([]);
});

it.each([
  ['there is no article', () => answer([])],
  ['the search fails', () => refuse('limit.exceeded')],
])('shows nothing if %s', async (_, respond) => {
  let requests = 0;
  server.use(
    http.get(api('/widget/v1/help/search'), () => {
      requests += 1;
      return respond();
    }),
  );
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  await waitFor(() => expect(requests).toBe(1));
  await rest(50);
  expect(suggestions()).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('does not move a field in which the visitor already writes', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  await person.click(screen.getByRole('textbox', { name: /^Description/ }));
  await waitFor(() => expect(searches).toHaveLength(1));
  await rest(50);
  expect(suggestions()).not.toBeInTheDocument();
  await person.click(subject);
  expect(await section()).toBeInTheDocument();
});

it('opens an article with its pictures, counts it once, and returns to the text of the form', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  await person.click(within(await section()).getByRole('button', { name: 'Refund a payment' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'Refund a payment' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 3, name: 'Where' })).toBeInTheDocument();
  expect(screen.getByRole('img', { name: 'The payment' })).toHaveAttribute('src', `/api/v1/public/article-pictures/${pictureId}`);
  expect(screen.getByText(/\[Nothing\]/)).toBeInTheDocument();
  expect(screen.getByRole('heading', { level: 1 })).toHaveFocus();
  expect(await violations()).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Back' }));
  const again = await screen.findByRole('textbox', { name: 'Subject' });
  expect(again).toHaveValue('Refund me');
  await person.click(again);
  await person.click(within(await section()).getByRole('button', { name: 'Refund a payment' }));
  await person.click(await screen.findByRole('button', { name: 'Continue with my request' }));
  expect(await screen.findByRole('textbox', { name: 'Subject' })).toHaveValue('Refund me');
  expect(uses).toEqual([{ type: 'suggestion_opened', number: 12 }]);
});

it('ends the form when an article has solved the question, and removes the draft', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  await person.click(within(await section()).getByRole('button', { name: 'Refund a payment' }));
  await person.click(await screen.findByRole('button', { name: 'This solved it' }));
  expect(await screen.findByRole('heading', { level: 2, name: 'Glad that helped' })).toBeInTheDocument();
  await waitFor(() => expect(uses).toContainEqual({ type: 'solved', number: 12 }));
  expect(widgetStorage('acme').draft('new')).toEqual({});
  await person.click(screen.getByRole('button', { name: 'Back to the form' }));
  expect(await screen.findByRole('textbox', { name: 'Subject' })).toHaveValue('');
});

it('offers to try again if an article does not load', async () => {
  server.use(http.get(api('/widget/v1/articles/:number'), () => refuse('service.unavailable')));
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  await person.click(within(await section()).getByRole('button', { name: 'Refund a payment' }));
  await screen.findByText('Couldn’t load the article');
  expect(screen.queryByRole('button', { name: 'This solved it' })).not.toBeInTheDocument();
  server.use(http.get(api('/widget/v1/articles/:number'), () => answer(articles[0])));
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('button', { name: 'This solved it' })).toBeInTheDocument();
});

it('is in the language of the visitor', async () => {
  language = 'ar';
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund me');
  expect(await screen.findByRole('region', { name: 'قد تفيدك هذه المقالات' })).toBeInTheDocument();
  expect(searches).toEqual(['suggestions ar: Refund me']);
});
