import { screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { publicOrganization, serveSite } from '../../testing/site';
import { portal } from './testing';

const left: string[] = [];
jest.mock('../../lib/redirect-out', () => ({ redirectOut: (address: string) => left.push(address) }));
beforeEach(() => {
  left.length = 0;
  portal();
});
let asked: string | null;
const findsNorthwind = () =>
  server.use(
    http.get(api('/public/portal'), ({ request }) => {
      asked = new URL(request.url).searchParams.get('team');
      return answer({ name: 'Northwind Coffee', url: 'https://northwindcoffee.tandem.example' });
    }),
  );

it.each([
  ['/submit-ticket', 'Which team do you need help from?'],
  ['/ticket-status/check', 'Which team did you write to?'],
])('on the product’s host %s asks for the team and opens the same page of its portal', async (path, question) => {
  findsNorthwind();
  serveSite({ kind: 'product', organization: null });
  const { person } = renderApp(path);
  expect(await screen.findByRole('heading', { name: question })).toBeInTheDocument();
  await person.type(screen.getByLabelText('Team address'), ' northwindcoffee ');
  await person.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(left).toEqual([`https://northwindcoffee.tandem.example${path}`]));
  expect(asked).toBe('northwindcoffee');
});

it('shows next to the field that no team has this address, or that it is missing', async () => {
  server.use(http.get(api('/public/portal'), () => refuse('organization.not_found')));
  serveSite({ kind: 'product', organization: null });
  const { person } = renderApp('/submit-ticket');
  const field = await screen.findByLabelText('Team address');
  await person.click(screen.getByRole('button', { name: 'Continue' }));
  expect(field).toHaveAccessibleDescription(/^Enter your team’s address/);
  expect(field).toHaveFocus();
  await person.type(field, 'nobody');
  expect(field).not.toHaveAccessibleDescription(/Enter your team/);
  await person.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/^No team uses this address\. Check it and try again\./));
  expect(left).toEqual([]);
});

it.each(['Check Ticket Status', 'Submit Support Ticket'])(
  'is the target of the landing page’s link “%s”, on localhost too',
  async (name) => {
    serveSite({ kind: 'product', organization: publicOrganization() });
    const { person } = renderApp('/');
    await person.click(await screen.findByRole('link', { name }));
    expect(await screen.findByLabelText('Team address')).toBeInTheDocument();
  },
);

it('is skipped if the site has an organization', async () => {
  serveSite({ kind: 'product', organization: null, portal: 'https://northwindcoffee.tandem.example' });
  renderApp('/');
  expect(await screen.findByRole('link', { name: 'Submit Support Ticket' })).toHaveAttribute(
    'href',
    'https://northwindcoffee.tandem.example/submit-ticket',
  );
});

it('is not shown on an organization’s host or on localhost', async () => {
  serveSite({ kind: 'product', organization: publicOrganization() });
  renderApp('/submit-ticket');
  expect(await screen.findByLabelText('Subject')).toBeInTheDocument();
});
