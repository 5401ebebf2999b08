import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { http } from 'msw';
import { FakeEventSource } from '../../../testing/event-source';
import { aComment, aTicket, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

beforeEach(() => {
  backend.signIn();
  backend.tickets = [1, 2, 3, 4].map((n) =>
    aTicket({ ticket_number: `NC-000${n}`, subject: `Subject ${n}`, customer_email: `c${n}@example.com` }),
  );
});
const ticket = (n = 1) => backend.tickets[n - 1]!;
const page = (n = 1) => `GET /tickets/${ticket(n).id}/page`;
const ofTicket = (n = 1) => backend.calls.filter((call) => call.includes(ticket(n).id));
const article = (n: number) => screen.findByRole('article', { name: `Ticket NC-000${n}` });
/** Longer than the delay before a ticket reached by key is requested. */
const afterRest = () => act(() => new Promise((resolve) => setTimeout(resolve, 600)));

/** Opens the first ticket from the list and then the second, which leaves the first in the cache. */
async function openFirstThenSecond() {
  const { person } = renderApp('/tickets');
  await person.click(await screen.findByRole('link', { name: 'Subject 1' }));
  await article(1);
  await screen.findByRole('region', { name: 'Watchers' });
  await person.click(screen.getByRole('link', { name: 'Subject 2' }));
  await article(2);
  backend.calls = [];
  return person;
}

describe('opening a ticket', () => {
  it('makes one call and reports the user’s presence', async () => {
    ticket().response_due_at = '2026-11-21T10:00:00.000Z';
    ticket().resolved_at = '2026-11-21T10:00:00.000Z';
    backend.comments = [aComment(ticket(), { content: 'The newest' })];
    server.use(http.get(api('/tickets/:id/sla'), () => answer(null)));
    renderApp(`/tickets/${ticket().id}`);
    await waitFor(() => expect(screen.getByText('The newest')).toBeInTheDocument());
    await screen.findByRole('region', { name: 'Watchers' });
    await waitFor(() => expect(ofTicket()).toContain(`PUT /tickets/${ticket().id}/presence`));
    await afterRest();
    expect(ofTicket()).toEqual([page(), `PUT /tickets/${ticket().id}/presence`]);
    expect(backend.calls.filter((call) => call.startsWith('GET /tickets?'))).toEqual([]);
  });

  it('shows an error for an unavailable part, and requests only that part on Try Again', async () => {
    backend.emails = { emails: [], bounced: [] };
    server.use(http.get(api('/tickets/:id/emails'), () => refuse('service.unavailable')));
    const { person } = renderApp(`/tickets/${ticket().id}`);
    const mails = within(await screen.findByRole('region', { name: 'Emails to the customer' }));
    expect(mails.getByRole('alert')).toHaveTextContent('Couldn’t load the emails');
    expect(ofTicket()).not.toContain(`GET /tickets/${ticket().id}/emails`);
    server.use(http.get(api('/tickets/:id/emails'), () => answer({ emails: [], bounced: [] })));
    await person.click(mails.getByRole('button', { name: 'Try Again' }));
    await waitFor(() => expect(screen.queryByText('Couldn’t load the emails')).not.toBeInTheDocument());
    await waitFor(() =>
      expect(ofTicket().filter((call) => !call.startsWith('PUT'))).toEqual([page(), `GET /tickets/${ticket().id}/emails`]),
    );
  });

  it.each([
    ['comments', 'Failed to load comments'],
    ['timeline', 'Couldn’t load the history'],
    ['attachments', 'Couldn’t load the files'],
    ['task', 'Couldn’t load the task'],
    ['draft', 'Couldn’t load your saved draft'],
  ])('shows an error for the missing part %s', async (part, text) => {
    server.use(http.get(api(`/tickets/:id/${part}`), () => refuse('service.unavailable')));
    renderApp(`/tickets/${ticket().id}`);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(ofTicket().filter((call) => call.startsWith('GET'))).toEqual([page()]);
  });

  it('refreshes only the part that an event invalidates', async () => {
    renderApp(`/tickets/${ticket().id}`);
    await screen.findByRole('region', { name: 'Watchers' });
    backend.calls = [];
    backend.emails = { ...backend.emails };
    act(() => FakeEventSource.last.send({ type: 'email.delivered', subject: ticket().id }));
    await waitFor(() => expect(ofTicket()).toContain(`GET /tickets/${ticket().id}/emails`));
    expect(ofTicket().filter((call) => call.startsWith('GET'))).toEqual([`GET /tickets/${ticket().id}/emails`]);
  });

  it('renders a cached ticket immediately, without a call', async () => {
    const person = await openFirstThenSecond();
    await person.click(screen.getByRole('link', { name: 'Subject 1' }));
    expect(screen.getByRole('article', { name: 'Ticket NC-0001' })).toBeInTheDocument();
    await afterRest();
    expect(backend.calls.filter((call) => call.startsWith('GET /tickets/'))).toEqual([]);
  });

  it('reads a cached ticket again for which a token has drafted a reply since', async () => {
    const person = await openFirstThenSecond();
    const token = { id: '0192f0c1-0000-7000-8000-0000000000aa', name: 'Claude', via: 'mcp' as const };
    backend.drafts.set(ticket().id, { content: 'Dear Jonas', is_internal: false, updated_at: new Date().toISOString(), token });
    act(() => FakeEventSource.last.send({ type: 'ticket.reply_drafted', subject: ticket().id }));
    await afterRest();
    await person.click(screen.getByRole('link', { name: 'Subject 1' }));
    expect(await screen.findByDisplayValue('Dear Jonas')).toBeInTheDocument();
    expect(ofTicket().filter((call) => call.startsWith('GET'))).toEqual([page()]);
  });
});

describe('opening a ticket from the list', () => {
  /** The server answers with the page of the second ticket when the returned function is called. */
  const holdSecondPage = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    server.use(http.get(api(`/tickets/${ticket(2).id}/page`), () => promise.then(() => undefined)));
    return resolve;
  };

  it('makes one call, from which the composer takes the user’s draft of another device', async () => {
    const draft = { content: 'Written on the train', is_internal: false, updated_at: '2026-11-20T10:00:00.000Z', token: null };
    backend.drafts.set(ticket(2).id, draft);
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('link', { name: 'Subject 2' }));
    expect(await screen.findByDisplayValue('Written on the train')).toBeInTheDocument();
    expect(ofTicket(2).filter((call) => call.startsWith('GET'))).toEqual([page(2)]);
  });

  it('shows an error for an unavailable part after the same one call', async () => {
    server.use(http.get(api('/tickets/:id/comments'), () => refuse('service.unavailable')));
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('link', { name: 'Subject 2' }));
    expect(await screen.findByText('Failed to load comments')).toBeInTheDocument();
    expect(ofTicket(2).filter((call) => call.startsWith('GET'))).toEqual([page(2)]);
  });

  it('requests it when the button is pressed, and leaves the list when it has arrived', async () => {
    const { person, address } = renderApp('/tickets');
    const link = await screen.findByRole('link', { name: 'Subject 2' });
    await person.pointer({ keys: '[MouseLeft>]', target: link });
    await waitFor(() => expect(ofTicket(2)).toEqual([page(2)]));
    expect(address()).toBe('/tickets');
    await person.pointer({ keys: '[/MouseLeft]', target: link });
    await article(2);
    expect(address()).toBe(`/tickets/${ticket(2).id}`);
  });

  it('leaves the list after a moment if the answer takes long', async () => {
    const release = holdSecondPage();
    const { person, address } = renderApp('/tickets');
    await person.click(await screen.findByRole('link', { name: 'Subject 2' }));
    await waitFor(() => expect(address()).toBe(`/tickets/${ticket(2).id}`));
    expect(screen.queryByRole('article')).not.toBeInTheDocument();
    release();
    await article(2);
    expect(ofTicket(2).filter((call) => call.startsWith('GET'))).toEqual([page(2)]);
  });

  it('opens only the last of two tickets that are clicked before the first has arrived', async () => {
    const release = holdSecondPage();
    const { address } = renderApp('/tickets');
    const [second, third] = await Promise.all([2, 3].map((n) => screen.findByRole('link', { name: `Subject ${n}` })));
    fireEvent.click(second!, { detail: 1 });
    fireEvent.click(third!, { detail: 1 });
    await article(3);
    release();
    await afterRest();
    expect(address()).toBe(`/tickets/${ticket(3).id}`);
  });

  it('leaves the list at once with the keyboard, because the next key is for the ticket', async () => {
    const release = holdSecondPage();
    const { person, address } = renderApp('/tickets');
    (await screen.findByRole('link', { name: 'Subject 2' })).focus();
    await person.keyboard('{Enter}');
    expect(address()).toBe(`/tickets/${ticket(2).id}`);
    release();
    await article(2);
    expect(ofTicket(2).filter((call) => call.startsWith('GET'))).toEqual([page(2)]);
  });

  it.each(['ctrlKey', 'metaKey', 'shiftKey', 'altKey'])('leaves a click with %s to the browser', async (key) => {
    const { address } = renderApp('/tickets');
    const link = await screen.findByRole('link', { name: 'Subject 2' });
    // The browser would open it in a new tab; jsdom cannot.
    link.removeAttribute('href');
    expect(fireEvent.click(link, { detail: 1, [key]: true })).toBe(true);
    await afterRest();
    expect(address()).toBe('/tickets');
  });
});

describe('skipping tickets with j and k', () => {
  it('requests nothing for skipped tickets, and loads the one where the user stops', async () => {
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('link', { name: 'Subject 1' }));
    await article(1);
    await person.keyboard('jjj');
    await article(4);
    await waitFor(() => expect(ofTicket(4)).toContain(`PUT /tickets/${ticket(4).id}/presence`));
    expect(ofTicket(2)).toEqual([]);
    expect(ofTicket(3)).toEqual([]);
    expect(ofTicket(4).filter((call) => call.startsWith('GET'))).toEqual([page(4)]);
  });

  it('requests nothing while the key is held, however slowly it repeats', async () => {
    const { person } = renderApp('/tickets');
    await person.click(await screen.findByRole('link', { name: 'Subject 1' }));
    await article(1);
    await person.keyboard('{j>}');
    await afterRest();
    expect(ofTicket(2)).toEqual([]);
    await person.keyboard('{/j}');
    await article(2);
    expect(ofTicket(2)).toContain(page(2));
  });
});

describe('the list', () => {
  it('opens with two rate-limited calls', async () => {
    renderApp('/tickets');
    await screen.findByRole('link', { name: 'Subject 1' });
    await waitFor(() => expect(backend.calls).toContain('GET /views/counts'));
    await afterRest();
    // Session, unread counts and presence (of the page just left) have separate limits.
    const isCounted = (call: string) => !/^(GET \/auth\/session|GET \/notifications\/unread|PUT .*\/presence)$/.test(call);
    expect(backend.calls.filter(isCounted).sort()).toEqual(['GET /tickets?limit=30', 'GET /views/counts']);
  });
});

/** The visible countdown, not the text announced to screen readers. */
const countdown = () => screen.queryByText(/Too many requests/, { selector: 'p' });

describe('a rate-limited request', () => {
  it('is retried after a visible countdown, without an error', async () => {
    backend.comments = [aComment(ticket(), { content: 'Arrives later' })];
    let refusals = 1;
    server.use(
      http.get(api('/tickets/:id/page'), () => (refusals-- > 0 ? refuse('limit.exceeded', {}, { 'retry-after': '2' }) : undefined)),
    );
    renderApp(`/tickets/${ticket().id}`);
    expect(await screen.findByText(/^Too many requests\. Retrying in [12] s$/, { selector: 'p' })).toBeInTheDocument();
    expect(screen.queryByText('Failed to load comments')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.getByText('Arrives later')).toBeInTheDocument());
    expect(countdown()).not.toBeInTheDocument();
    expect(ofTicket().filter((call) => call === page())).toHaveLength(2);
  });

  it('is also retried if it is a change, because it had no effect', async () => {
    let refusals = 1;
    server.use(http.patch(api('/tickets/:id'), () => (refusals-- > 0 ? refuse('limit.exceeded', {}, { 'retry-after': '1' }) : undefined)));
    const { person } = renderApp(`/tickets/${ticket().id}`);
    await person.click(await screen.findByRole('button', { name: 'Resolve' }));
    expect(await screen.findByText(/^Too many requests/, { selector: 'p' })).toBeInTheDocument();
    await waitFor(() => expect(ticket().status).toBe('resolved'));
    expect(screen.queryByText('Failed to update ticket status')).not.toBeInTheDocument();
  });

  it('shows the text of its limit on sign-in', async () => {
    backend.reset();
    server.use(http.post(api('/auth/sign-in'), () => refuse('limit.exceeded', {}, { 'retry-after': '30' })));
    const { person } = renderApp('/auth');
    await person.type(await screen.findByLabelText('Email'), 'ada@example.com');
    await person.type(screen.getByLabelText('Password'), 'a password');
    await person.click(screen.getByRole('button', { name: 'Sign In' }));
    expect(await screen.findByText('Rate limit exceeded. Please wait 30 seconds.')).toBeInTheDocument();
    expect(countdown()).not.toBeInTheDocument();
  });
});
