import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { backend, organization } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { api, refuse, server } from '../../testing/server';
import { portal } from './testing';

const frame = () => document.querySelector<HTMLElement>('.portal')!;
const icon = () => document.head.querySelector('link[rel=icon]')?.getAttribute('href');
const open = async () => {
  const view = renderApp('/ticket-status/check');
  await screen.findByRole('heading', { name: 'Check Ticket Status' });
  return view;
};
beforeEach(() => {
  document.head.innerHTML = '<link rel="icon" href="/favicon.svg">';
  document.documentElement.dataset.theme = 'light';
});

it('applies the organization’s colors, adjusted for contrast in the color scheme', async () => {
  portal({ primary_color: '#FFD400', secondary_color: '#7C3AED' });
  await open();
  await waitFor(() => expect(frame().style.getPropertyValue('--focus')).toBe('#7c3aed'));
  expect(frame().style.getPropertyValue('--accent-ink')).toBe('#111417');
});

it('shows the logo with the name as alternative text, and the name if the logo does not load', async () => {
  portal({ logo_url: '/api/v1/public/branding-assets/1' });
  await open();
  const logo = await screen.findByRole('img', { name: organization.name });
  expect(logo).toHaveAttribute('src', '/api/v1/public/branding-assets/1');
  fireEvent.error(logo);
  expect(screen.getByText(organization.name)).toBeInTheDocument();
});

it('shows the organization’s icon and name in the tab, and restores the icon', async () => {
  portal({ favicon_url: '/api/v1/public/branding-assets/2' });
  const { unmount } = await open();
  await waitFor(() => expect(icon()).toBe('/api/v1/public/branding-assets/2'));
  expect(document.title).toBe(`Check ticket status · ${organization.name}`);
  unmount();
  expect(icon()).toBe('/favicon.svg');
});

it('applies the organization’s style sheet unchanged', async () => {
  portal({ css: '.portal h1 { letter-spacing: 1px } </style><b>' });
  await open();
  await waitFor(() => expect(document.querySelector('style')?.textContent).toBe('.portal h1 { letter-spacing: 1px } </style><b>'));
});

it('shows “Powered by” unless the organization hides it', async () => {
  portal();
  const { unmount } = await open();
  expect(await screen.findByText('Powered by Tandem')).toBeInTheDocument();
  unmount();
  portal({ hide_powered_by: true });
  await open();
  expect(await screen.findByText(organization.name)).toBeInTheDocument();
  expect(screen.queryByText('Powered by Tandem')).not.toBeInTheDocument();
});

it('reuses the known organization for the next page, and keeps it after a failure', async () => {
  portal();
  const { unmount } = await open();
  await screen.findByText(organization.name);
  unmount();
  backend.calls = [];
  server.use(http.get(api('/public/organization'), () => refuse('limit.exceeded')));
  renderApp('/ticket-status/check');
  await screen.findByRole('heading', { name: 'Check Ticket Status' });
  expect(screen.getByText(organization.name)).toBeInTheDocument();
  await waitFor(() => expect(backend.calls).toContain('GET /public/organization'));
  expect(screen.getByText(organization.name)).toBeInTheDocument();
});

it('links to submitting and to checking tickets', async () => {
  portal();
  await open();
  const links = screen.getByRole('navigation', { name: 'Portal' });
  expect([...links.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Submit a ticket', '/submit-ticket'],
    ['Check status', '/ticket-status/check'],
  ]);
});
