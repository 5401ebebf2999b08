import { screen, waitFor, within } from '@testing-library/react';
import { aMember, aSession, backend } from '../testing/backend';
import { renderApp } from '../testing/render';

beforeEach(() => backend.signIn());

const railLinks = async () => {
  const [rail] = await screen.findAllByRole('navigation', { name: 'Main' });
  return within(rail!).getAllByRole('link');
};
const addresses = (links: HTMLElement[]) => links.map((link) => link.getAttribute('href'));

it('links only to existing pages and marks the current one', async () => {
  renderApp('/dashboard');
  const links = await railLinks();
  expect(addresses(links)).toEqual([
    '/dashboard',
    '/tickets',
    '/articles',
    '/analytics',
    '/integration',
    '/organization-settings',
    '/settings',
  ]);
  expect(links[0]).toHaveAttribute('aria-current', 'page');
});

it.each([
  ['agent', ['/dashboard', '/tickets', '/articles']],
  ['manager', ['/dashboard', '/tickets', '/articles', '/analytics']],
] as const)('shows a %s only the pages that the role may open', async (role, pages) => {
  backend.signIn(aSession(aMember({ role })));
  renderApp('/dashboard');
  expect(addresses(await railLinks())).toEqual(pages);
});

it.each([
  [9.5, '10 days left in your trial'],
  [0.5, 'Last day of your trial'],
  [-1, null],
])('with %d days of the trial left, shows admins: %s', async (days, text) => {
  const session = aSession(backend.me);
  session.organization!.trial_ends_at = new Date(Date.now() + days * 86_400_000).toISOString();
  backend.signIn(session);
  renderApp('/dashboard');
  await railLinks();
  const note = screen.queryByRole('link', { name: /trial/ });
  expect(note?.textContent ?? null).toBe(text);
});
it('shows the end of the trial while an older server answers without a plan', async () => {
  const session = aSession(backend.me);
  session.organization!.trial_ends_at = new Date(Date.now() + 9.5 * 86_400_000).toISOString();
  Reflect.deleteProperty(session.organization!, 'plan');
  backend.signIn(session);
  renderApp('/dashboard');
  await railLinks();
  expect(screen.getByRole('link', { name: '10 days left in your trial' })).toBeInTheDocument();
});
it('shows no end of the trial to an organization with a plan', async () => {
  const session = aSession(backend.me);
  Object.assign(session.organization!, { trial_ends_at: new Date(Date.now() + 86_400_000).toISOString(), plan: 'starter' });
  backend.signIn(session);
  renderApp('/dashboard');
  await railLinks();
  expect(screen.queryByRole('link', { name: /trial/ })).not.toBeInTheDocument();
});

it('signs out and shows the sign-in page', async () => {
  const { person, address } = renderApp('/dashboard');
  await person.click(await screen.findByRole('button', { name: 'Your profile' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
  await waitFor(() => expect(address()).toBe('/auth'));
  expect(await screen.findByRole('tab', { name: 'Sign In' })).toBeInTheDocument();
  expect(backend.calls).toContain('POST /auth/sign-out');
});

it('switches the theme and saves the choice', async () => {
  const { person } = renderApp('/dashboard');
  await person.click(await screen.findByRole('button', { name: 'Theme' }));
  await person.click(await screen.findByRole('menuitemradio', { name: 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  expect(localStorage.getItem('theme')).toBe('dark');
});

it('navigates by keyboard, lists the shortcuts and lets the user turn them off', async () => {
  const { person, address } = renderApp('/dashboard');
  await screen.findByText('Recent Tickets');
  await person.keyboard('gt');
  await waitFor(() => expect(address()).toBe('/tickets'));
  await person.keyboard('?');
  await person.click(await screen.findByRole('switch', { name: 'Single-key shortcuts' }));
  await person.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await person.keyboard('gd');
  expect(address()).toBe('/tickets');
});
