import type { OidcConnection } from '@tandem/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { aMember, aSession, backend, organization } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';
import { redirectOut } from '../../../lib/redirect-out';
import { ssoErrorText } from '../../../lib/sso-error';

// jsdom cannot navigate to another site.
jest.mock('../../../lib/redirect-out');
const left = redirectOut as jest.MockedFunction<typeof redirectOut>;
beforeEach(() => void left.mockClear());

const bodies: unknown[] = [];
beforeEach(() => void bodies.splice(0));
const took = async (request: Request) => {
  bodies.push(await request.json());
};

describe('signing in at the organization’s provider', () => {
  const providerPage = 'https://id.example.com/authorize?state=x';
  beforeEach(() =>
    server.use(
      http.post(api('/auth/oidc'), async ({ request }) => {
        await took(request);
        return answer({ authorize_url: providerPage });
      }),
    ),
  );

  async function typeSubdomain(text: string, path = '/auth/sso') {
    const view = renderApp(path);
    const input = await screen.findByLabelText('Organization');
    if (text) await view.person.type(input, text);
    await view.person.click(screen.getByRole('button', { name: 'Continue' }));
    return { ...view, input };
  }

  it.each(['northwind', ' Northwind ', 'northwind.tandem.example', 'https://northwind.tandem.example/auth'])(
    'leads to the provider of %j',
    async (typed) => {
      await typeSubdomain(typed);
      await waitFor(() => expect(left).toHaveBeenCalledWith(providerPage));
      expect(bodies).toEqual([{ subdomain: 'northwind', redirect: '/dashboard' }]);
      expect(screen.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-disabled', 'true');
    },
  );

  it('keeps the requested page, within the product only', async () => {
    await typeSubdomain('northwind', `/auth/sso?redirect=${encodeURIComponent('/tickets?status=open')}`);
    await waitFor(() => expect(bodies).toEqual([{ subdomain: 'northwind', redirect: '/tickets?status=open' }]));
    const back = screen.getByRole('link', { name: 'Sign in with email and password' });
    expect(back).toHaveAttribute('href', '/auth?redirect=%2Ftickets%3Fstatus%3Dopen');
  });

  it('drops redirects to other hosts', async () => {
    await typeSubdomain('northwind', '/auth/sso?redirect=//evil.example');
    await waitFor(() => expect(bodies).toEqual([{ subdomain: 'northwind', redirect: '/dashboard' }]));
  });

  it('saves the organization for the next sign-in', async () => {
    const { unmount } = await typeSubdomain('northwind');
    await waitFor(() => expect(left).toHaveBeenCalled());
    unmount();
    renderApp('/auth/sso');
    expect(await screen.findByLabelText('Organization')).toHaveValue('northwind');
  });

  it('can restart after the browser’s back button', async () => {
    await typeSubdomain('northwind');
    await waitFor(() => expect(left).toHaveBeenCalled());
    expect(screen.getByRole('button', { name: 'Continue' })).toHaveAttribute('aria-disabled', 'true');
    fireEvent(window, new Event('pageshow'));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Continue' })).toBeEnabled());
  });

  it('requires the subdomain without calling the server', async () => {
    const { input } = await typeSubdomain('');
    expect(input).toHaveAccessibleDescription(expect.stringContaining('Enter your organization’s subdomain'));
    expect(bodies).toEqual([]);
  });

  it.each([
    ['oidc.not_connected', 'Single sign-on is not set up for this organization'],
    ['oidc.unreachable', 'The OpenID provider is unreachable or sent an invalid response'],
  ] as const)('shows what is wrong (%s), and keeps the input', async (code, text) => {
    server.use(http.post(api('/auth/oidc'), () => refuse(code)));
    const { input } = await typeSubdomain('northwind');
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    expect(input).toHaveValue('northwind');
    expect(left).not.toHaveBeenCalled();
  });

  it('is not offered to signed-in users', async () => {
    backend.signIn();
    const { address } = renderApp('/auth/sso');
    await waitFor(() => expect(address()).toBe('/dashboard'));
  });
});

describe('returning with a problem', () => {
  it.each([
    ['oidc.failed', 'Sign-in with your provider failed. Please try again.'],
    ['oidc.not_a_member', 'You are not a member of this organization. Ask an admin for an invitation.'],
    ['account.inactive', 'This account has been deactivated'],
    ['Call 0900 12345 at once', 'Sign-in with your provider failed. Please try again.'],
    ['', undefined],
  ])('has a fixed sentence for %j', (code, text) => expect(ssoErrorText(code)).toBe(text));

  it('shows it on the sign-in page', async () => {
    renderApp('/auth?sso_error=oidc.not_a_member');
    expect(await screen.findByRole('alert')).toHaveTextContent('Ask an admin for an invitation.');
  });
});

describe('connecting a provider', () => {
  const connection: OidcConnection = {
    issuer: 'https://id.example.com',
    client_id: 'tandem',
    has_client_secret: true,
    is_active: true,
    auto_join: false,
    redirect_uri: `http://localhost:3000/api/v1/auth/oidc/callback/${organization.id}`,
    updated_at: '2026-11-20T10:05:00.000Z',
  };
  let stored: OidcConnection | null;
  beforeEach(() => {
    backend.signIn();
    stored = null;
    server.use(
      http.get(api('/oidc-connection'), () => answer(stored)),
      http.get(api('/audit-log'), () => answer([], { pagination: { page: null, limit: 25, total: 0, next_cursor: null } })),
      http.put(api('/oidc-connection'), async ({ request }) => {
        await took(request);
        const { client_secret, ...body } = bodies.at(-1) as OidcConnection & { client_secret?: string };
        stored = { ...connection, ...body, has_client_secret: client_secret !== undefined || (stored?.has_client_secret ?? false) };
        return answer(stored);
      }),
      http.delete(api('/oidc-connection'), () => {
        stored = null;
        return answer({});
      }),
    );
  });

  async function open() {
    const view = renderApp('/settings?tab=sign-in');
    const card = within(await screen.findByRole('region', { name: 'Single sign-on' }));
    await card.findByLabelText('Issuer');
    return { ...view, card, press: (name: string) => view.person.click(card.getByRole('button', { name })) };
  }

  it('shows the redirect address before a connection exists, and saves the input', async () => {
    const { card, person, press } = await open();
    expect(card.getByText(`http://localhost/api/v1/auth/oidc/callback/${organization.id}`)).toBeInTheDocument();
    expect(card.queryByRole('button', { name: 'Disconnect' })).not.toBeInTheDocument();
    await person.type(card.getByLabelText('Issuer'), connection.issuer);
    await person.type(card.getByLabelText('Client ID'), 'tandem');
    await person.type(card.getByLabelText(/^Client secret/), 'hush');
    await person.click(card.getByRole('switch', { name: 'Add new people automatically' }));
    await press('Save');
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    const form = { issuer: connection.issuer, client_id: 'tandem', is_active: true, auto_join: true };
    expect(bodies).toEqual([{ ...form, client_secret: 'hush' }]);
    await waitFor(() => expect(card.getByLabelText(/^Client secret/)).toHaveValue(''));
    expect(card.getByText('A secret is set. Leave empty to keep it.')).toBeInTheDocument();
    expect(card.getByText('Active', { selector: 'span' })).toBeInTheDocument();
    await person.click(card.getByRole('switch', { name: 'Active' }));
    await press('Save');
    await waitFor(() => expect(bodies[1]).toEqual({ ...form, is_active: false }));
  });

  it('shows missing fields without calling the server', async () => {
    const { card, press } = await open();
    await press('Save');
    expect(await card.findByText('Enter the address of your OpenID provider')).toBeInTheDocument();
    expect(card.getByText('Enter the client ID')).toBeInTheDocument();
    expect(bodies).toEqual([]);
  });

  it.each([
    ['the detail of an unreachable provider', () => refuse('oidc.unreachable', { detail: 'There is no server with this name' })],
    [
      'a problem of a field',
      () => refuse('request.invalid', { errors: [{ path: 'issuer', code: 'custom', message: 'There is no server with this name' }] }),
    ],
  ])('shows %s and keeps the input', async (_what, refusal) => {
    server.use(http.put(api('/oidc-connection'), refusal));
    const { card, person, press } = await open();
    await person.type(card.getByLabelText('Issuer'), 'https://nowhere.example');
    await person.type(card.getByLabelText('Client ID'), 'tandem');
    await press('Save');
    expect(await card.findByText('There is no server with this name')).toBeInTheDocument();
    expect(card.getByLabelText('Issuer')).toHaveValue('https://nowhere.example');
  });

  it('is removed only after a confirmation', async () => {
    stored = connection;
    const { card, person, press } = await open();
    expect(card.getByText(connection.redirect_uri)).toBeInTheDocument();
    await press('Disconnect');
    const dialog = within(await screen.findByRole('dialog', { name: 'Disconnect your provider?' }));
    await person.click(dialog.getByRole('button', { name: 'Cancel' }));
    expect(backend.calls).not.toContain('DELETE /oidc-connection');
    await press('Disconnect');
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Disconnect' }));
    await waitFor(() => expect(card.getByLabelText('Issuer')).toHaveValue(''));
    expect(card.queryByRole('button', { name: 'Disconnect' })).not.toBeInTheDocument();
  });

  it('shows that sign-in requires a subdomain', async () => {
    backend.signIn({ ...aSession(aMember()), organization: { ...organization, subdomain: null } });
    const { card } = await open();
    expect(card.getByRole('link', { name: 'Choose a subdomain' })).toHaveAttribute('href', '/settings?tab=organization');
  });

  it('offers a retry if it cannot be loaded', async () => {
    server.use(http.get(api('/oidc-connection'), () => refuse('permission.denied'), { once: true }));
    const { person } = renderApp('/settings?tab=sign-in');
    const card = within(await screen.findByRole('region', { name: 'Single sign-on' }));
    await person.click(await card.findByRole('button', { name: 'Try Again' }));
    expect(await card.findByLabelText('Issuer')).toBeInTheDocument();
  });
});
