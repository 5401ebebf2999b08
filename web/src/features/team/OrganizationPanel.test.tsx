import { screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../testing/event-source';
import { aMember, aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { serveSite } from '../../testing/site';
import { api, refuse, server } from '../../testing/server';
import { portalAddress } from '../../lib/portal-address';
import { TeamServer } from './testing';

let team: TeamServer;
beforeEach(() => {
  backend.signIn();
  team = new TeamServer().start();
});

const rule = 'Subdomain must be 3-30 characters long and contain only lowercase letters, numbers, and hyphens';
const checks = () => backend.calls.filter((call) => call.startsWith('GET /organizations/subdomain-availability'));

async function open() {
  const view = renderApp('/organization-settings');
  const nameInput = await screen.findByLabelText('Organization name');
  const retype = async (label: string, text: string) => {
    const input = screen.getByLabelText(new RegExp(`^${label}`));
    await view.person.clear(input);
    if (text) await view.person.type(input, text);
    return input;
  };
  return { ...view, nameInput, retype, press: (name: string) => view.person.click(screen.getByRole('button', { name })) };
}

it.each(['agent', 'manager'] as const)('redirects a %s to the dashboard', async (role) => {
  backend.signIn(aSession(aMember({ role })));
  const { address } = renderApp('/organization-settings');
  await waitFor(() => expect(address()).toBe('/dashboard'));
  expect(backend.calls).not.toContain('GET /team/invitations');
});

describe('basic information', () => {
  it('saves the trimmed name and confirms it', async () => {
    const { nameInput, retype, press } = await open();
    expect(nameInput).toHaveValue('Northwind Coffee');
    await retype('Organization name', '  Northwind Tea ');
    await press('Save');
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    expect(team.bodies).toEqual([{ name: 'Northwind Tea' }]);
    await waitFor(() => expect(nameInput).toHaveValue('Northwind Tea'));
  });

  it('keeps an unsaved name while other settings are open', async () => {
    const { retype, person, press } = await open();
    await retype('Organization name', 'Tea');
    expect(screen.getByText('Unsaved: Organization name')).toBeInTheDocument();
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
    await person.click(screen.getByRole('link', { name: 'Session log' }));
    await person.click(screen.getByRole('link', { name: 'Organization' }));
    expect(await screen.findByLabelText('Organization name')).toHaveValue('Tea');
    await press('Discard');
    expect(screen.getByLabelText('Organization name')).toHaveValue(team.organization.name);
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  });

  it.each(['', '   '])('cannot be saved with the name %j', async (name) => {
    const { retype } = await open();
    const input = await retype('Organization name', name);
    expect(input).toHaveAccessibleDescription('Enter a name');
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('keeps the input and shows the server’s error if saving fails', async () => {
    server.use(
      http.patch(api('/organizations/:id'), () =>
        refuse('request.invalid', { errors: [{ path: 'name', code: 'too_big', message: 'At most 100 characters' }] }),
      ),
    );
    const { retype, press } = await open();
    const input = await retype('Organization name', 'Tea');
    await press('Save');
    await waitFor(() => expect(input).toHaveAccessibleDescription('At most 100 characters'));
    expect(input).toHaveValue('Tea');
    expect(screen.getAllByText(/At most 100 characters/)).toHaveLength(1);
    expect(screen.queryByText(/^Failed to save settings/)).not.toBeInTheDocument();
  });

  it('shows when the trial ends or ended', async () => {
    team.organization.trial_ends_at = new Date(Date.now() + 86_400_000).toISOString();
    const { unmount } = await open();
    expect(screen.getByText(/^Trial ends on/)).toHaveTextContent(/Trial ends on \w{3} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M/);
    unmount();
    team.organization.trial_ends_at = new Date(Date.now() - 86_400_000).toISOString();
    await open();
    expect(await screen.findByText(/^Trial ended on/)).toBeInTheDocument();
  });
  it('shows the trial while an older server answers without a plan', async () => {
    Reflect.deleteProperty(team.organization, 'plan');
    await open();
    expect(screen.getByText(/^Trial/)).toBeInTheDocument();
  });
  it.each([
    ['starter', 'Plan: Starter, with 3 members and 100 tickets a month'],
    ['enterprise', 'Plan: Enterprise, with unlimited members and tickets'],
  ] as const)('shows the plan %s instead of the trial', async (plan, text) => {
    team.organization.plan = plan;
    await open();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.queryByText(/^Trial/)).not.toBeInTheDocument();
  });

  it('shows an error with a retry if the settings cannot be loaded', async () => {
    server.use(http.get(api('/organizations/:id'), () => refuse('organization.not_found'), { once: true }));
    const { person } = renderApp('/organization-settings');
    const note = (await screen.findByText('Failed to load organization settings')).closest('[role=alert]');
    // The team list loads independently.
    expect(await screen.findByRole('heading', { name: 'Team members' })).toBeInTheDocument();
    await person.click(within(note as HTMLElement).getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByLabelText('Organization name')).toHaveValue('Northwind Coffee');
  });

  it('shows changes by another admin without a reload', async () => {
    const { nameInput } = await open();
    team.organization.name = 'Northwind & Daughters';
    FakeEventSource.last.open();
    FakeEventSource.last.send({ type: 'organization.updated', subject: team.organization.id });
    await waitFor(() => expect(nameInput).toHaveValue('Northwind & Daughters'));
  });

  it('marks branding as coming soon and links to its settings', async () => {
    await open();
    const branding = screen.getByRole('region', { name: 'Branding' });
    expect(within(branding).getByText('Coming soon')).toBeInTheDocument();
    expect(within(branding).getByRole('link')).toHaveAttribute('href', '/settings?tab=branding');
  });
});

describe('the subdomain', () => {
  it('is lower-cased on input, checked once after a pause, and saved', async () => {
    const { retype, press } = await open();
    const input = await retype('Subdomain', 'Blue-Mug');
    expect(input).toHaveValue('blue-mug');
    expect(await screen.findByText('Available')).toBeInTheDocument();
    expect(checks()).toEqual(['GET /organizations/subdomain-availability?subdomain=blue-mug']);
    expect(screen.getByText('http://blue-mug.localhost')).toBeInTheDocument();
    expect(screen.getByText(/stop working when you save/)).toHaveTextContent('Links to northwindcoffee stop working');
    await press('Save subdomain');
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    expect(team.bodies).toEqual([{ subdomain: 'blue-mug' }]);
    await waitFor(() => expect(screen.queryByText(/stop working when you save/)).not.toBeInTheDocument());
  });

  it('that is taken cannot be saved', async () => {
    const { retype } = await open();
    const input = await retype('Subdomain', 'contoso');
    expect(await screen.findByText('This subdomain is already taken')).toBeInTheDocument();
    expect(input).toBeInvalid();
    expect(screen.getByRole('button', { name: 'Save subdomain' })).toBeDisabled();
  });

  it.each(['ab', '-abc', 'abc-', 'blue mug', 'a'.repeat(31), 'müller'])('%j is rejected without a request', async (subdomain) => {
    const { retype } = await open();
    const input = await retype('Subdomain', subdomain);
    expect(await screen.findByText(rule)).toBeInTheDocument();
    expect(input).toHaveAccessibleDescription(rule);
    expect(screen.getByRole('button', { name: 'Save subdomain' })).toBeDisabled();
    expect(checks()).toEqual([]);
  });

  it('shows the server’s error if it was taken in the meantime', async () => {
    server.use(http.patch(api('/organizations/:id'), () => refuse('subdomain.taken')));
    const { retype, press } = await open();
    const input = await retype('Subdomain', 'bluemug');
    await screen.findByText('Available');
    await press('Save subdomain');
    await waitFor(() => expect(input).toHaveAccessibleDescription('This subdomain is already taken'));
    expect(input).toHaveValue('bluemug');
  });

  it('cancels an outdated check', async () => {
    const withdrawn: string[] = [];
    server.use(
      http.get(api('/organizations/subdomain-availability'), async ({ request }) => {
        const subdomain = new URL(request.url).searchParams.get('subdomain');
        if (subdomain !== 'slow') return;
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        withdrawn.push(subdomain);
        return refuse('service.unavailable');
      }),
    );
    const { retype } = await open();
    await retype('Subdomain', 'slow');
    expect(await screen.findByText('Checking availability')).toBeInTheDocument();
    await waitFor(() => expect(checks()).toHaveLength(1));
    await retype('Subdomain', 'contoso');
    expect(await screen.findByText('This subdomain is already taken')).toBeInTheDocument();
    await waitFor(() => expect(withdrawn).toEqual(['slow']));
  });

  it('is removed if left empty', async () => {
    const { retype, press } = await open();
    await retype('Subdomain', '');
    expect(screen.getByText('Without a subdomain your organization has no portal.')).toBeInTheDocument();
    expect(screen.queryByText('Portal address')).not.toBeInTheDocument();
    await press('Save subdomain');
    await screen.findByText('Settings saved!');
    expect(team.bodies).toEqual([{ subdomain: null }]);
  });

  it('forms the portal address, which can be copied', async () => {
    const { press } = await open();
    await press('Copy the portal address');
    expect(await screen.findByText('Copied to clipboard!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('http://northwindcoffee.localhost');
  });

  it('precedes the product’s host, even if the page is opened on a portal host', () => {
    const on = (host: string) => portalAddress('new', 'old', { protocol: 'https:', host });
    expect(on('tandem.example')).toBe('https://new.tandem.example');
    expect(on('localhost:3000')).toBe('https://new.localhost:3000');
    expect(on('old.tandem.example')).toBe('https://new.tandem.example');
  });

  it('is not part of the portal address of a single organization', async () => {
    serveSite({ kind: 'product', singlePortal: 'https://help.example' });
    const { retype } = await open();
    await retype('Subdomain', '');
    expect(screen.getByText('https://help.example')).toBeInTheDocument();
    expect(screen.queryByText(/has no portal|stop working/)).not.toBeInTheDocument();
  });
});

describe('two-factor sign-in for admins', () => {
  const name = 'Require two-factor sign-in for admins';
  const openRules = async () => {
    const { person } = renderApp('/settings?tab=sign-in');
    await person.click(await screen.findByRole('switch', { name }));
  };
  it('is turned on', async () => {
    await openRules();
    expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
    expect(team.bodies).toEqual([{ require_mfa_for_admins: true }]);
    expect(screen.getByRole('switch', { name })).toBeChecked();
  });

  it('links admins to their own account first, and reverts', async () => {
    server.use(http.patch(api('/organizations/:id'), () => refuse('mfa.own_first')));
    await openRules();
    expect(await screen.findByText(/Set up two-factor sign-in for yourself first/)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to your account' })).toHaveAttribute('href', '/account');
    expect(screen.getByRole('switch', { name })).not.toBeChecked();
  });

  it('reverts with an error if it cannot be saved', async () => {
    server.use(http.patch(api('/organizations/:id'), () => refuse('service.unavailable')));
    await openRules();
    expect(await screen.findByText(/^Failed to save settings/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('switch', { name })).not.toBeChecked());
  });
});
