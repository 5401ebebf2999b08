import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../testing/event-source';
import { aSession, aTicket, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { serveSite } from '../../testing/site';

beforeEach(() => backend.signIn());

it('greets by first name and counts the tickets', async () => {
  backend.stats = { total: 12, open: 7, resolved: 3, unassigned: 2 };
  renderApp('/dashboard');
  expect(await screen.findByRole('heading', { name: 'Support Dashboard' })).toBeInTheDocument();
  expect(screen.getByText('Welcome, Ada')).toBeInTheDocument();
  const counts = screen.getByRole('region', { name: 'Ticket counts' });
  expect(await within(counts).findByText('12')).toBeInTheDocument();
  expect(within(counts).getByText('Total Tickets').closest('div')?.parentElement).toHaveTextContent('12');
  expect(within(counts).getByText('Open Tickets').closest('div')?.parentElement).toHaveTextContent('7');
  expect(within(counts).getByText('Resolved Tickets').closest('div')?.parentElement).toHaveTextContent('3');
});

it('shows the five newest tickets with customer, status and priority', async () => {
  backend.tickets = Array.from({ length: 6 }, (_, index) =>
    aTicket({ subject: `Ticket ${index}`, customer_name: index === 0 ? null : 'Jonas Weber', status: 'in_progress', priority: 'urgent' }),
  );
  renderApp('/dashboard');
  const first = await screen.findByRole('link', { name: /Ticket 0/ });
  expect(first).toHaveAttribute('href', `/tickets/${backend.tickets[0]?.id}`);
  expect(first).toHaveTextContent('jonas@example.com');
  expect(first).toHaveTextContent('In Progress');
  expect(first).toHaveTextContent('Urgent');
  expect(screen.queryByText('Ticket 5')).not.toBeInTheDocument();
});

it('shows an empty state without tickets', async () => {
  renderApp('/dashboard');
  expect(await screen.findByText('No customer tickets yet')).toBeInTheDocument();
});

it('links to the most used lists and only to existing pages', async () => {
  renderApp('/dashboard');
  const actions = await screen.findByRole('region', { name: 'Quick Actions' });
  expect(
    within(actions)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/tickets?status=open', '/tickets?status=in_progress', '/tickets?assignee=unassigned', '/analytics', '/integration']);
  expect(screen.getByRole('link', { name: 'View All Tickets' })).toHaveAttribute('href', '/tickets');
});

it('updates the counts without a reload', async () => {
  renderApp('/dashboard');
  await screen.findByText('No customer tickets yet');
  backend.stats = { total: 41, open: 1, resolved: 0, unassigned: 0 };
  FakeEventSource.last.send({ type: 'metrics.updated', subject: 't' });
  expect(await screen.findByText('41')).toBeInTheDocument();
});

it('offers Try Again if the tickets cannot be loaded', async () => {
  server.use(http.get(api('/tickets'), () => refuse('permission.denied'), { once: true }));
  const { person } = renderApp('/dashboard');
  await person.click(await screen.findByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText('No customer tickets yet')).toBeInTheDocument();
});

it('shows the user’s open tickets in the server’s order by due time', async () => {
  const mine = { assigned_to: backend.me.user_id, ticket_number: 'NC-0009' };
  backend.tickets = [
    aTicket({ ...mine, subject: 'Mine and late', next_due_at: new Date(Date.now() - 3_600_000).toISOString() }),
    aTicket({ ...mine, subject: 'Mine and done', status: 'resolved' }),
    aTicket({ subject: 'Nobody’s' }),
  ];
  renderApp('/dashboard');
  const work = await screen.findByRole('region', { name: 'My tickets, by due date' });
  expect(await within(work).findByRole('link', { name: /Mine and late/ })).toHaveTextContent('Overdue');
  expect(within(work).queryByText('Mine and done')).not.toBeInTheDocument();
  expect(backend.calls).toContain('GET /tickets?assignee=me&status=open%2Cin_progress%2Cwaiting_for_customer&sort=due&limit=8');
});

it('shows the remaining setup steps until dismissed', async () => {
  const { person, unmount } = renderApp('/dashboard');
  const setup = await screen.findByRole('region', { name: 'Get started' });
  expect(within(setup).getByText('1 of 6 done')).toBeInTheDocument();
  const titles = ['Open your portal', 'Send a test ticket', 'Connect the task tool', 'Invite a teammate', 'Add the widget', 'Set business'];
  const steps = within(setup).getAllByRole('listitem');
  expect(steps).toHaveLength(titles.length);
  for (const [place, title] of titles.entries()) expect(steps[place]).toHaveTextContent(title);
  const portal = within(setup).getByRole('link', { name: /Open your portal/ });
  expect(portal).toHaveAttribute('href', 'http://northwindcoffee.localhost');
  await person.click(portal);
  expect(within(setup).getByText('2 of 6 done')).toBeInTheDocument();
  expect(within(setup).getByText('Invite a teammate')).toBeInTheDocument();
  expect(within(setup).getByRole('link', { name: /Add the widget/ })).toHaveAttribute('href', '/settings?tab=embed');
  expect(within(setup).getByRole('link', { name: /business hours/ })).toHaveAttribute('href', '/settings?tab=sla');
  expect(within(setup).getByRole('link', { name: /test ticket/ })).toHaveAttribute(
    'href',
    'http://northwindcoffee.localhost/submit-ticket',
  );
  await person.click(within(setup).getByRole('button', { name: 'Dismiss set-up checklist' }));
  unmount();
  renderApp('/dashboard');
  await screen.findByText('No customer tickets yet');
  expect(screen.queryByRole('region', { name: 'Get started' })).not.toBeInTheDocument();
});

it('links the setup steps of a single organization to its portal, even without a subdomain', async () => {
  serveSite({ kind: 'product', singlePortal: 'https://help.example' });
  const session = aSession(backend.me);
  backend.signIn({ ...session, organization: { ...session.organization!, subdomain: null } });
  renderApp('/dashboard');
  const setup = await screen.findByRole('region', { name: 'Get started' });
  const linkOf = (name: RegExp) => within(setup).getByRole('link', { name }).getAttribute('href');
  expect([linkOf(/Open your portal/), linkOf(/test ticket/)]).toEqual(['https://help.example', 'https://help.example/submit-ticket']);
});

it('completes the invitation step with the first invitation, and the widget step with the first site', async () => {
  server.use(
    http.get(api('/team/invitations'), () => answer([{ id: 'i1', email: 'new@example.com', status: 'pending' }])),
    http.get(api('/widget-settings'), () => answer({ allowed_sites: ['https://shop.example'] })),
  );
  backend.members = backend.members.slice(0, 1);
  renderApp('/dashboard');
  const setup = await screen.findByRole('region', { name: 'Get started' });
  for (const step of ['Invite a teammate', 'Add the widget']) expect(within(setup).getByText(step).closest('li')).toHaveTextContent('Done');
});

it('shows agents only the steps that they are allowed to do', async () => {
  backend.me.role = 'agent';
  backend.signIn();
  renderApp('/dashboard');
  const setup = await screen.findByRole('region', { name: 'Get started' });
  expect(within(setup).getAllByRole('listitem')).toHaveLength(1);
  expect(backend.calls).not.toContain('GET /sla-policies');
});
