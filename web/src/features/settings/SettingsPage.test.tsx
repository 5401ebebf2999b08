import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { AuditEntry } from '@tandem/contracts';
import { auditEvents, type AuditType } from '@tandem/contracts/values';
import { http } from 'msw';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { createStore } from '../../app/store';
import { clearLocalSecurityEvents, recordSecurityEvent } from '../../lib/monitoring';
import { aMember, anId, aSession, backend } from '../../testing/backend';
import { renderApp } from '../../testing/render';
import { answer, api, refuse, server } from '../../testing/server';
import { SettingsPage } from './SettingsPage';

let log: AuditEntry[];
const anEntry = (type: AuditType, more: Partial<AuditEntry> = {}): AuditEntry => ({
  id: anId(),
  type,
  category: auditEvents[type].category,
  severity: auditEvents[type].severity,
  occurred_at: '2026-11-20T10:05:00.000Z',
  actor_id: backend.me.user_id,
  actor_email: backend.me.email,
  target: null,
  ip: '203.0.113.7',
  user_agent: null,
  changes: null,
  ...more,
});

beforeEach(() => {
  backend.signIn();
  clearLocalSecurityEvents();
  log = [];
  server.use(
    http.get(api('/audit-log'), ({ request }) => {
      const { searchParams } = new URL(request.url);
      const found = log.filter(({ category }) => (searchParams.get('category') ?? category) === category);
      const from = Number(searchParams.get('cursor') ?? 0);
      const next = from + 25 < found.length ? String(from + 25) : null;
      return answer(found.slice(from, from + 25), { pagination: { page: null, limit: 25, total: found.length, next_cursor: next } });
    }),
  );
});

const asked = () => backend.calls.filter((call) => call.startsWith('GET /audit-log'));
const rows = () => within(screen.getByRole('table')).getAllByRole('row').slice(1);

const refuseAccount = () =>
  server.use(...['/me/mfa', '/auth/sessions'].map((path) => http.get(api(path), () => refuse('service.unavailable'))));
const nav = () => screen.findByRole('navigation', { name: 'Settings' });

describe('the page', () => {
  it('opens the panel in the URL, and writes the chosen panel to the URL', async () => {
    const { person, address } = renderApp('/settings?tab=audit');
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeInTheDocument();
    const links = within(await nav());
    expect(links.getByRole('link', { current: 'page' })).toHaveTextContent('Audit log');
    expect(await screen.findByRole('region', { name: 'Audit log' })).toBeInTheDocument();
    await person.click(links.getByRole('link', { name: 'General' }));
    expect(address()).toBe('/settings?tab=organization');
    expect(links.getByRole('link', { current: 'page' })).toHaveTextContent('General');
    expect(screen.queryByRole('region', { name: 'Audit log' })).not.toBeInTheDocument();
  });

  it('shows within the settings that an unknown panel does not exist', async () => {
    renderApp('/settings?tab=nothing');
    expect(await screen.findByText('This settings page doesn’t exist')).toBeInTheDocument();
    const links = within(await nav());
    expect(links.queryByRole('link', { current: 'page' })).not.toBeInTheDocument();
    expect(links.getByRole('link', { name: 'Branding' })).toBeInTheDocument();
  });

  it('opens branding if the URL names no panel', async () => {
    renderApp('/settings');
    expect(within(await nav()).getByRole('link', { current: 'page' })).toHaveTextContent('Branding');
  });

  it('opens every panel and page of the navigation', async () => {
    refuseAccount();
    for (const path of ['/mail-in*', '/task-tool/providers', '/api-tokens', '/webhook-endpoints'])
      server.use(http.get(api(path), () => refuse('service.unavailable')));
    const { person } = renderApp('/settings');
    const names = within(await nav())
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
    for (const name of names) {
      await person.click(within(await nav()).getByRole('link', { name }));
      await waitFor(async () => expect(within(await nav()).getByRole('link', { current: 'page' })).toHaveTextContent(name));
      expect(screen.queryByText('This settings page doesn’t exist')).not.toBeInTheDocument();
    }
  });

  it('brings the members into view once they are loaded', async () => {
    const shown: string[] = [];
    const scroll = jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
      shown.push(this.id);
    });
    try {
      renderApp('/organization-settings#members');
      expect(await screen.findByRole('heading', { name: 'Organization Settings' })).toBeInTheDocument();
      await waitFor(() => expect(shown).toContain('members'));
      expect(within(await nav()).getByRole('link', { current: 'page' })).toHaveTextContent('Members');
    } finally {
      scroll.mockRestore();
    }
  });

  it.each([
    ['manager', ['Rules', 'Canned replies']],
    ['agent', ['Canned replies']],
  ] as const)('shows a %s the navigation of their own settings', async (role, work) => {
    backend.signIn(aSession(aMember({ role })));
    refuseAccount();
    renderApp('/account');
    const names = within(await nav())
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
    expect(names).toEqual([...work, 'Profile', 'Notifications', 'Account security']);
  });

  it.each(['manager', 'agent'] as const)('redirects a %s to the dashboard and shows them no link to it', async (role) => {
    backend.signIn(aSession(aMember({ role })));
    const { address } = renderApp('/settings');
    await waitFor(() => expect(address()).toBe('/dashboard'));
    expect(await screen.findByText('Only organization administrators can access these settings.')).toBeInTheDocument();
    expect(await screen.findAllByRole('link', { name: 'Tickets' })).not.toHaveLength(0);
    expect(screen.queryByRole('link', { name: 'Settings' })).not.toBeInTheDocument();
    expect(asked()).toEqual([]);
  });

  it('notifies users who lose the role while the page is open', async () => {
    backend.signIn(aSession(aMember({ role: 'agent' })));
    const WhenSignedIn = () =>
      useReadSessionQuery().data ? <SettingsPage organization={null} portal={null} integrations={null} signIn={null} /> : null;
    render(
      <Provider store={createStore()}>
        <MemoryRouter>
          <WhenSignedIn />
        </MemoryRouter>
      </Provider>,
    );
    expect(await screen.findByText('Only organization administrators can access these settings.')).toBeInTheDocument();
    expect(screen.queryByRole('region')).not.toBeInTheDocument();
  });
});

describe('this browser', () => {
  const eventList = () => screen.findByRole('list', { name: 'Security events in this browser' });

  it('shows the last 20 events with their severities, newest first', async () => {
    for (let i = 0; i < 17; i++) recordSecurityEvent('something_else');
    for (const event of ['anomalous_navigation', 'excessive_concurrent_sessions', 'suspicious_concurrent_session', 'session_timeout'])
      recordSecurityEvent(event);
    renderApp('/settings?tab=security');
    const items = within(await eventList()).getAllByRole('listitem');
    expect(items).toHaveLength(20);
    expect(items.slice(0, 5).map((item) => within(item).getByText(/^(High|Medium|Low)$/).textContent)).toEqual([
      'High',
      'High',
      'Medium',
      'Medium',
      'Low',
    ]);
    expect(items[0]).toHaveTextContent('Session timed out');
    expect(items[4]).toHaveTextContent('something else');
  });

  it('shows whether the session is active, its timeout in minutes and the security status', async () => {
    const soon = new Date(Date.now() + 10 * 60_000).toISOString();
    backend.signIn({ ...aSession(backend.me), idle_expires_at: soon, absolute_expires_at: soon });
    recordSecurityEvent('anomalous_navigation');
    renderApp('/settings?tab=security');
    const card = await screen.findByRole('region', { name: 'Session status' });
    expect(card).toHaveTextContent('Active');
    expect(card).toHaveTextContent('30 minutes');
    expect(card).toHaveTextContent('Secure');
  });

  it('shows an alert after a high-severity event until the logs are cleared', async () => {
    recordSecurityEvent('suspicious_concurrent_session');
    const { person } = renderApp('/settings?tab=security');
    expect(await screen.findByText('Alert')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Clear Logs' }));
    expect(await screen.findByText('No security events')).toBeInTheDocument();
    expect(screen.getByText('Secure')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Clear Logs' })).toBeDisabled();
    expect(localStorage.getItem('security-events')).toBeNull();
  });

  it('refreshes every 30 seconds', async () => {
    const ticks: (() => void)[] = [];
    const every = jest.spyOn(globalThis, 'setInterval').mockImplementation(((work: () => void, ms: number) => {
      if (ms === 30_000) ticks.push(work);
      return 0;
    }) as never);
    try {
      renderApp('/settings?tab=security');
      await screen.findByText('No security events');
      recordSecurityEvent('session_timeout');
      expect(screen.queryByText('Session timed out')).not.toBeInTheDocument();
      act(() => ticks.forEach((tick) => tick()));
      expect(screen.getByText('Session timed out')).toBeInTheDocument();
    } finally {
      every.mockRestore();
    }
  });
});

describe('the audit log', () => {
  it('shows who did what, when, from where, and the values before and after', async () => {
    log = [
      anEntry('member.role_changed', { target: 'marek@northwind.example', changes: { role: { from: 'agent', to: 'manager' } } }),
      anEntry('sign_in.failed', { actor_id: null, actor_email: null, target: 'ada@northwind.example' }),
      anEntry('member.joined', { ip: null }),
      anEntry('organization.created', { actor_id: null, actor_email: null, ip: null }),
    ];
    renderApp('/settings?tab=audit');
    await screen.findByRole('table');
    const [changed, failed, unknown, own] = rows();
    for (const text of ['Nov 20, 2026', 'ada@northwind.example', 'Changed a role', 'marek@northwind.example', 'Medium', '203.0.113.7'])
      expect(changed).toHaveTextContent(text);
    expect(changed).toHaveTextContent('role: agent →became manager');
    for (const text of ['Not signed in', 'Sign-in failed', 'ada@northwind.example', '203.0.113.7']) expect(failed).toHaveTextContent(text);
    expect(unknown).toHaveTextContent('Unknown');
    expect(own).toHaveTextContent('Tandem');
    expect(own).not.toHaveTextContent(/Not signed in|Unknown/);
  });

  it('reads the filters from the URL and requests whole days', async () => {
    const { user_id } = backend.members[1]!;
    renderApp(`/settings?tab=audit&category=team&severity=high&person=${user_id}&from=2026-11-01&to=2026-11-20`);
    await screen.findByText('No entries match the filters.');
    const query = new URLSearchParams(asked()[0]!.split('?')[1]);
    expect(Object.fromEntries(query)).toEqual({
      category: 'team',
      severity: 'high',
      actor_id: user_id,
      from: new Date(2026, 10, 1).toISOString(),
      to: new Date(2026, 10, 21).toISOString(),
      limit: '25',
    });
    expect(screen.getByRole('combobox', { name: 'Category' })).toHaveTextContent('Team');
    expect(screen.getByRole('combobox', { name: 'Severity' })).toHaveTextContent('High');
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Person' })).toHaveTextContent('Marek Lindqvist'));
    expect(screen.getByLabelText('From')).toHaveValue('2026-11-01');
  });

  it('writes the filters to the URL and removes them', async () => {
    log = [anEntry('member.joined'), anEntry('sign_in.succeeded')];
    const { person, address } = renderApp('/settings?tab=audit');
    await screen.findByRole('table');
    await person.click(screen.getByRole('combobox', { name: 'Category' }));
    await person.click(await screen.findByRole('option', { name: 'Team' }));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(address()).toBe('/settings?tab=audit&category=team');
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-20' } });
    await waitFor(() => expect(address()).toBe('/settings?tab=audit&category=team&to=2026-11-20'));
    await person.click(screen.getByRole('button', { name: 'Clear' }));
    await waitFor(() => expect(address()).toBe('/settings?tab=audit'));
    await waitFor(() => expect(rows()).toHaveLength(2));
  });

  it('loads more pages until the end', async () => {
    log = Array.from({ length: 30 }, (_, i) => anEntry('invitation.created', { target: `person-${i}@example.com` }));
    const { person } = renderApp('/settings?tab=audit');
    await screen.findByRole('table');
    expect(rows()).toHaveLength(25);
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(() => expect(rows()).toHaveLength(30));
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
    expect(asked().at(-1)).toBe('GET /audit-log?limit=25&cursor=25');
  });

  it('shows an empty state', async () => {
    renderApp('/settings?tab=audit');
    expect(await screen.findByText('No entries')).toBeInTheDocument();
  });

  it('offers Try Again if it cannot be loaded', async () => {
    log = [anEntry('member.joined')];
    server.use(http.get(api('/audit-log'), () => refuse('limit.exceeded'), { once: true }));
    const { person } = renderApp('/settings?tab=audit');
    expect(await screen.findByText('Failed to load the log')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    expect(await screen.findByText('Joined the team')).toBeInTheDocument();
  });

  it('keeps the entries if more cannot be loaded', async () => {
    log = Array.from({ length: 26 }, () => anEntry('member.joined'));
    const { person } = renderApp('/settings?tab=audit');
    await screen.findByRole('table');
    server.use(http.get(api('/audit-log'), () => refuse('limit.exceeded'), { once: true }));
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load the log');
    expect(rows()).toHaveLength(25);
    await person.click(screen.getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(rows()).toHaveLength(26));
  });

  it('downloads the same entries as CSV after checking the session', async () => {
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation();
    try {
      const { person } = renderApp('/settings?tab=audit&category=team');
      await person.click(await screen.findByRole('button', { name: 'Download CSV' }));
      await waitFor(() => expect(click).toHaveBeenCalledTimes(1));
      const link = click.mock.contexts[0] as HTMLAnchorElement;
      expect(link.getAttribute('href')).toBe('/api/v1/audit-log.csv?category=team');
      expect(link).toHaveAttribute('download');
      backend.session = undefined;
      await person.click(screen.getByRole('button', { name: 'Download CSV' }));
      expect(await screen.findByText(/Failed to download the log/)).toBeInTheDocument();
      expect(click).toHaveBeenCalledTimes(1);
    } finally {
      click.mockRestore();
    }
  });

  it('is a list of cards on a phone', async () => {
    window.innerWidth = 390;
    log = [anEntry('member.role_changed', { changes: { role: { from: 'agent', to: 'manager' } } })];
    renderApp('/settings?tab=audit');
    const list = await screen.findByRole('list', { name: 'Audit log of the organization, newest first' });
    const [card] = within(list).getAllByRole('listitem');
    for (const text of ['Changed a role', 'Medium', 'role: agent', 'ada@northwind.example', '203.0.113.7'])
      expect(card).toHaveTextContent(text);
    expect(screen.queryByRole('table')).not.toBeInTheDocument();
  });
});
