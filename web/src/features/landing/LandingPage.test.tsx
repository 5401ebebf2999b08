import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';

const header = () => screen.findByRole('banner');
/** The page requests whether there is a live demo. */
const requests = () => backend.calls.filter((call) => call !== 'GET /public/installation');
const cookies = () => screen.queryByRole('region', { name: 'Cookies' });

it('offers visitors Sign In and Start Free Trial without requesting a session', async () => {
  renderApp('/');
  const top = within(await header());
  expect(top.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/auth');
  expect(top.getByRole('link', { name: 'Start Free Trial' })).toHaveAttribute('href', '/auth?tab=sign-up');
  expect(top.queryByRole('link', { name: 'Dashboard' })).not.toBeInTheDocument();
  expect(requests()).toEqual([]);
});

it('offers signed-in users the Dashboard instead', async () => {
  backend.signIn();
  renderApp('/');
  expect(await screen.findByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  expect(screen.queryByRole('link', { name: 'Sign In' })).not.toBeInTheDocument();
});

it('treats users with an ended or unreadable session as visitors, without an error', async () => {
  document.cookie = 'tandem_csrf=old';
  server.use(http.get(api('/auth/session'), () => refuse('service.unavailable')));
  renderApp('/');
  await waitFor(() => expect(screen.getByRole('link', { name: 'Sign In' }).parentElement).not.toHaveClass('invisible'));
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('links from the header to existing sections', async () => {
  renderApp('/');
  const links = within(await header());
  for (const part of ['Features', 'Pricing', 'Integration', 'Support']) {
    const target = links.getByRole('link', { name: part }).getAttribute('href');
    expect(target).toBe(`#${part.toLowerCase()}`);
    expect(document.getElementById(part.toLowerCase())).toBeInTheDocument();
  }
});

it('has the same links in a menu for narrow screens, which closes on navigation', async () => {
  const { person } = renderApp('/');
  await person.click(await screen.findByRole('button', { name: 'Open menu' }));
  const menu = document.getElementById('landing-menu');
  if (!menu) throw new Error('The menu did not open');
  await person.click(within(menu).getByRole('link', { name: 'Pricing' }));
  expect(screen.getByRole('button', { name: 'Open menu' })).toHaveAttribute('aria-expanded', 'false');
});

it('links customers of other organizations to their ticket', async () => {
  renderApp('/');
  expect(await screen.findByRole('link', { name: 'Check Ticket Status' })).toHaveAttribute('href', '/ticket-status/check');
  expect(screen.getByRole('link', { name: 'Submit Support Ticket' })).toHaveAttribute('href', '/submit-ticket');
});

it.each([
  ['Starter', '$29', ['100 tickets per month', '3 team members']],
  ['Professional', '$79', ['500 tickets per month', '10 team members', 'Most Popular']],
  [
    'Enterprise',
    '$149',
    ['Unlimited tickets', 'Unlimited team members', 'SLA management', 'White-label branding', 'Dedicated success manager'],
  ],
])('shows the price and contents of %s', async (name, price, contents) => {
  renderApp('/');
  const plan = within(await screen.findByRole('listitem', { name }));
  for (const text of [price, ...contents]) expect(plan.getByText(text)).toBeInTheDocument();
});

it('shows the prices of annual billing, 20% lower, and starts a trial from each plan', async () => {
  const { person } = renderApp('/');
  await person.click(await screen.findByLabelText('Annual, save 20%'));
  const starter = within(screen.getByRole('listitem', { name: 'Starter' }));
  expect(starter.getByText('$23.20')).toBeInTheDocument();
  expect(starter.getByText('$278.40 per year, billed annually')).toBeInTheDocument();
  for (const plan of ['Starter', 'Professional', 'Enterprise'])
    expect(screen.getByRole('link', { name: `Start free trial of ${plan}` })).toHaveAttribute('href', '/auth?tab=sign-up');
});

it('shows the sync: a change to the ticket or the task updates the other', async () => {
  const { person } = renderApp('/');
  const side = (name: string) => within(screen.getByRole('group', { name }));
  await person.click(await screen.findByRole('radio', { name: 'Resolved' }));
  expect(await screen.findByText('Task set to Complete')).toBeInTheDocument();
  expect(side('Task status').getByRole('radio', { name: 'Complete' })).toBeChecked();
  await person.click(side('Task status').getByRole('radio', { name: 'Review' }));
  expect(await screen.findByText('Ticket set to Pending')).toBeInTheDocument();
  expect(side('Ticket status').getByRole('radio', { name: 'Pending' })).toBeChecked();
});

it('has a page that compares it with other help desks, dated and with sources', async () => {
  renderApp('/compare');
  const comparison = within(await screen.findByRole('region', { name: 'Comparison' }));
  expect(screen.getByText('November 23, 2026')).toBeInTheDocument();
  for (const row of comparison.getAllByRole('row').slice(1))
    expect(within(row).getAllByRole('link')[0]).toHaveAttribute('href', expect.stringMatching(/^https:/));
  expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Pricing' })).toHaveAttribute('href', '/#pricing');
});

it.each(['Privacy', 'Status', 'Changelog'])('links the page %s in its footer', async (name) => {
  const { person } = renderApp('/');
  await person.click(within(await screen.findByRole('navigation', { name: 'Footer' })).getByRole('link', { name }));
  expect(await screen.findByRole('heading', { level: 1, name })).toBeInTheDocument();
});

it('shows the releases of the changelog, without the instructions for operators', async () => {
  renderApp('/changelog');
  expect(await screen.findByRole('heading', { name: '0.1.0 · 2026-11-21' })).toBeInTheDocument();
  expect(screen.getAllByRole('heading', { name: 'Added' })).toHaveLength(1);
  expect(screen.getByText('GET /changes', { selector: 'code' })).toBeInTheDocument();
  expect(screen.queryByText(/Start with empty databases/)).not.toBeInTheDocument();
});

describe('the status', () => {
  const up = { identity: 'ok', tickets: 'ok', notifications: 'ok', integrations: 'ok', analytics: 'ok', redis: 'ok', nats: 'ok' };
  const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

  it('lists the parts that do not work while a service is down, and is refreshed on request', async () => {
    server.use(http.get('/health/ready', () => HttpResponse.json({ status: 'ok', checks: up })));
    server.use(
      http.get('/health/ready', () => HttpResponse.json({ status: 'degraded', checks: { ...up, analytics: 'down' } }), { once: true }),
    );
    const { person } = renderApp('/status');
    expect(await screen.findByText('Some parts are not available')).toBeInTheDocument();
    expect(rows().filter((row) => row?.endsWith('Not available'))).toEqual(['AnalyticsNot available']);
    await person.click(screen.getByRole('button', { name: 'Check again' }));
    expect(await screen.findByText('Everything works')).toBeInTheDocument();
  });

  it('lists all parts as unavailable if the gateway does not answer', async () => {
    server.use(http.get('/health/ready', () => HttpResponse.error()));
    renderApp('/status');
    expect(await screen.findByText('Tandem can’t be reached')).toBeInTheDocument();
    expect(screen.queryByText('Working')).not.toBeInTheDocument();
  });
});

it('states the terms of the trial', async () => {
  renderApp('/');
  expect(await screen.findByText(/free for 14 days.*No credit card, cancel anytime.*save 20% with annual billing/)).toBeInTheDocument();
});

it('has a newsletter form that sends nothing, including on Enter', async () => {
  const { person, address } = renderApp('/');
  await person.type(await screen.findByLabelText('Newsletter'), 'ada@northwind.example{Enter}');
  await person.click(screen.getByRole('button', { name: 'Subscribe' }));
  expect(address()).toBe('/');
  expect(requests()).toEqual([]);
});

it.each([
  ['Accept', 'accepted'],
  ['Decline', 'declined'],
  ['Close', 'declined'],
])('stores the cookie choice %s as %s and does not ask again', async (button, stored) => {
  const { person, unmount } = renderApp('/');
  await person.click(await screen.findByRole('button', { name: button }));
  expect(localStorage.getItem('cookieConsent')).toBe(stored);
  expect(cookies()).not.toBeInTheDocument();
  unmount();
  renderApp('/');
  await header();
  expect(cookies()).not.toBeInTheDocument();
});
