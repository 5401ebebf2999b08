import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, server } from '../../../testing/server';
import { publicOrganization, serveSite } from '../../../testing/site';

const office = (['mon', 'tue', 'wed', 'thu', 'fri'] as const).map((day) => ({ day, from: '09:00', to: '17:00' }));
const open = async (changes = {}, singlePortal?: string) => {
  serveSite({ kind: 'portal', organization: publicOrganization(changes), singlePortal });
  const view = renderApp('/');
  await screen.findByRole('heading', { name: 'How can we help?' });
  return view;
};
beforeEach(() => {
  sessionStorage.clear();
  document.documentElement.dataset.theme = 'light';
});
afterEach(() => jest.restoreAllMocks());

it('is the root page of an organization’s host, with its logo, and does not refetch data of the first HTML', async () => {
  const branding = { ...publicOrganization().branding, logo_url: '/api/v1/public/branding-assets/1' };
  await open({ branding });
  expect(screen.getByRole('link', { name: 'Northwind Coffee' })).toHaveAttribute('href', '/');
  expect(screen.getByRole('img', { name: 'Northwind Coffee' })).toBeInTheDocument();
  expect(document.title).toBe('Help center · Northwind Coffee');
  expect(screen.queryByText('Start Free Trial')).not.toBeInTheDocument();
  expect(backend.calls).toEqual(['GET /public/help?language=en']);
});

it('links to a new ticket and to an existing one', async () => {
  const { person, address } = await open();
  expect(screen.getByRole('link', { name: 'Check a ticket' })).toHaveAttribute('href', '/ticket-status/check');
  await person.click(screen.getByRole('link', { name: 'Submit a ticket' }));
  expect(await screen.findByLabelText('Subject')).toBeInTheDocument();
  expect(address()).toBe('/submit-ticket');
});

it('applies the organization’s colors immediately', async () => {
  await open({ branding: { ...publicOrganization().branding, primary_color: '#FFD400', secondary_color: '#7C3AED' } });
  expect(document.querySelector<HTMLElement>('.portal')!.style.getPropertyValue('--focus')).toBe('#7c3aed');
});

it('shows whether the team is open now, in its time zone', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T15:30:00Z'));
  await open({ business_hours: office });
  const hours = within(screen.getByRole('region', { name: 'Business hours' }));
  expect(hours.getByText('Open now')).toBeInTheDocument();
  expect(hours.getByText('Until 5:00 PM')).toBeInTheDocument();
  expect(hours.getByText('Monday – Friday').nextElementSibling).toHaveTextContent('9:00 AM – 5:00 PM');
  expect(hours.getByText(/Berlin time \(GMT\+1\)/)).toBeInTheDocument();
});

it('shows no hours if none are set', async () => {
  await open();
  expect(screen.queryByText('Business hours')).not.toBeInTheDocument();
});

it('shows that the host has no organization', async () => {
  serveSite({ kind: 'portal', organization: null });
  renderApp('/');
  expect(await screen.findByText('No organization found for this domain. Please check the URL and try again.')).toBeInTheDocument();
  expect(screen.queryByText('How can we help?')).not.toBeInTheDocument();
  expect(backend.calls).toEqual([]);
});

it('replaces the landing page of a single organization’s host once that exists', async () => {
  const single = { kind: 'product', portal: 'https://help.example', singlePortal: 'https://help.example' } as const;
  serveSite({ ...single, organization: null });
  const { unmount } = renderApp('/');
  expect(await screen.findByRole('link', { name: 'Start Free Trial' })).toBeInTheDocument();
  unmount();
  document.getElementById('site')!.remove();
  // As in the first HTML of staff pages, which contains no organization.
  serveSite(single);
  server.use(http.get(api('/public/organization'), () => answer(publicOrganization())));
  renderApp('/');
  expect(await screen.findByRole('heading', { name: 'How can we help?' })).toBeInTheDocument();
  await waitFor(() => expect(document.title).toBe('Help center · Northwind Coffee'));
});

it('links to the sign-in page of the team on the portal of a single organization', async () => {
  await open({}, window.location.origin);
  expect(screen.getByRole('link', { name: 'Team sign-in' })).toHaveAttribute('href', '/auth');
});

it.each([undefined, 'https://help.example'])(
  'has no link to the sign-in page of the team on a subdomain or a domain of customers, with the single portal %s',
  async (singlePortal) => {
    await open({}, singlePortal);
    expect(screen.queryByRole('link', { name: 'Team sign-in' })).not.toBeInTheDocument();
  },
);

it('has a not-found page with the organization’s branding and a link home', async () => {
  serveSite({ kind: 'portal', organization: publicOrganization() });
  const { person } = renderApp('/no/such/page');
  expect(await screen.findByText('Oops! Page not found')).toBeInTheDocument();
  await waitFor(() => expect(document.title).toBe('Page not found · Northwind Coffee'));
  await person.click(screen.getByRole('link', { name: 'Return to Home' }));
  expect(await screen.findByRole('heading', { name: 'How can we help?' })).toBeInTheDocument();
});
