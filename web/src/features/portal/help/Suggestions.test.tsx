import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { aPublicTicket, portal } from '../testing';
import { anArticle, FakeHelp } from './testing';

let help: FakeHelp;
beforeEach(() => {
  portal();
  help = new FakeHelp([
    anArticle({ body: '## Where\nOpen the payment.' }),
    anArticle({ number: 13, title: 'Refund times' }),
    anArticle({ number: 14, title: 'Refund in part' }),
    anArticle({ number: 15, title: 'Refund fees' }),
  ]);
  server.use(...help.handlers());
});

async function openForm() {
  const view = renderApp('/submit-ticket');
  const subject = await screen.findByLabelText('Subject');
  return { ...view, subject };
}
const name = 'These articles may help';
const section = () => screen.findByRole('region', { name });
const suggestions = () => screen.queryByRole('region', { name });
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('suggests three articles once typing rests, and announces their number', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'My refund');
  expect(suggestions()).not.toBeInTheDocument();
  const links = within(await section()).getAllByRole('link');
  expect(links.map(({ textContent }) => textContent)).toEqual(['Refund a payment', 'Refund times', 'Refund in part']);
  expect(help.searches).toEqual(['suggestions: My refund']);
  expect(subject).toHaveFocus();
  expect(await screen.findByText('3 articles may help', { selector: '[aria-live]' })).toBeInTheDocument();
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('does not search for a subject of less than eight characters', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'Refund ');
  await rest(500);
  expect(help.searches).toEqual([]);
});

it.each([
  ['there is no article', () => answer([])],
  ['the search fails', () => refuse('service.unavailable')],
])('shows nothing if %s', async (_, respond) => {
  let requests = 0;
  server.use(
    http.get(api('/public/help/search'), () => {
      requests += 1;
      return respond();
    }),
  );
  const { person, subject } = await openForm();
  await person.type(subject, 'My refund');
  await waitFor(() => expect(requests).toBe(1));
  await rest(50);
  expect(suggestions()).not.toBeInTheDocument();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('does not move a field in which the customer already writes', async () => {
  const { person, subject } = await openForm();
  await person.type(subject, 'My refund');
  await person.type(screen.getByLabelText(/^Description/), 'It is late');
  await waitFor(() => expect(help.searches).toHaveLength(1));
  await rest(50);
  expect(suggestions()).not.toBeInTheDocument();
  await person.click(subject);
  expect(await section()).toBeInTheDocument();
});

it('opens an article in the form, counts it once, and continues with the text of the form', async () => {
  const { person, subject, address } = await openForm();
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.type(subject, 'My refund');
  const link = within(await section()).getByRole('link', { name: 'Refund a payment' });
  expect(link).toHaveAttribute('href', '/help/12-refund-a-payment');
  await person.click(link);
  expect(await screen.findByText('Open the payment.')).toBeInTheDocument();
  expect(link).toHaveAttribute('aria-expanded', 'true');
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'] });
  expect(violations.map(({ id }) => id)).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Continue with my request' }));
  expect(screen.queryByText('Open the payment.')).not.toBeInTheDocument();
  expect(link).toHaveFocus();
  await person.click(link);
  expect(help.uses).toEqual([{ type: 'suggestion_opened', number: 12 }]);
  expect(subject).toHaveValue('My refund');
  expect(address()).toBe('/submit-ticket');
});

it('ends the form when an article has solved the question, and removes the draft', async () => {
  const { person, subject } = await openForm();
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.type(subject, 'My refund');
  await person.click(within(await section()).getByRole('link', { name: 'Refund times' }));
  await person.click(await screen.findByRole('button', { name: 'This solved it' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Glad that helped' })).toBeInTheDocument();
  await waitFor(() => expect(help.uses.at(-1)).toEqual({ type: 'solved', number: 13 }));
  expect(sessionStorage.getItem('draft:submit-ticket')).not.toContain('My refund');
  expect(screen.getByRole('button', { name: 'Back to the form' })).toHaveFocus();
  await person.keyboard('{Enter}');
  expect(await screen.findByLabelText('Subject')).toHaveValue('');
  expect(screen.getByLabelText(/^Email/)).toHaveValue('');
});

it('does not hide or delay sending while suggestions load', async () => {
  let answered = false;
  server.use(
    http.get(api('/public/help/search'), () => new Promise<never>(() => undefined)),
    http.post(api('/public/tickets'), () => {
      answered = true;
      return answer(aPublicTicket(), { status: 201 });
    }),
    http.get(api('/public/tickets/:id'), () => answer(aPublicTicket())),
  );
  const { person, subject } = await openForm();
  await person.type(screen.getByLabelText(/^Email/), 'jonas@example.com');
  await person.type(subject, 'My refund');
  await rest(450);
  await person.click(screen.getByRole('button', { name: 'Submit ticket' }));
  await waitFor(() => expect(answered).toBe(true));
});

it('offers to try again if an article does not load', async () => {
  server.use(http.get(api('/public/articles/:number'), () => refuse('limit.exceeded')));
  const { person, subject } = await openForm();
  await person.type(subject, 'My refund');
  await person.click(within(await section()).getByRole('link', { name: 'Refund a payment' }));
  await screen.findByText('Couldn’t load the article');
  expect(screen.queryByRole('button', { name: 'This solved it' })).not.toBeInTheDocument();
  server.use(...help.handlers());
  await person.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByRole('button', { name: 'This solved it' })).toBeInTheDocument();
});
