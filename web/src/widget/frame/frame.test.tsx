/** @jsxImportSource preact */
import { screen, waitFor, within } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { http } from 'msw';
import { render } from 'preact';
import type { PublicTicket } from '@tandem/contracts';
import type { Language, WidgetTheme } from '@tandem/contracts/values';
import { answer, api, refuse, server } from '../../testing/server';
import { App } from './App';
import { checkedFields, checkedPrefill } from './host';
import { readIdentity } from './identity';
import { widgetStorage } from './storage';
import { readParameters } from './parameters';

const at = '2026-11-20T10:05:00.000Z';
const aTicket = (more: Partial<PublicTicket> = {}): PublicTicket => ({
  id: '01980000-0000-7000-8000-000000000001',
  ticket_number: 'NC-0042',
  subject: 'Wrong grind',
  description: 'Twelve bags',
  status: 'open',
  priority: 'medium',
  category: null,
  customer_name: 'Jonas',
  customer_email: 'jonas@example.com',
  language: null,
  created_at: at,
  updated_at: at,
  resolved_at: null,
  merged_into: null,
  follow_up_of: null,
  writing: 'comment',
  attachments: [],
  comments: [],
  earlier_cursor: null,
  custom_fields: [],
  ...more,
});

let ticket: PublicTicket;
let identityRequired: boolean;
let theme: WidgetTheme;
let languages: { default: Language; offered: Language[] };
let hidesProduct = false;
const sent: { key: string | null; body: Record<string, unknown> }[] = [];
const note = async (request: Request) =>
  void sent.push({ key: request.headers.get('idempotency-key'), body: (await request.json()) as Record<string, unknown> });

beforeEach(() => {
  ticket = aTicket();
  identityRequired = false;
  theme = 'auto';
  languages = { default: 'en', offered: ['en'] };
  hidesProduct = false;
  sent.length = 0;
  const branding = { primary_color: '#3B82F6', secondary_color: '#8B5CF6', logo_url: null, favicon_url: null };
  server.use(
    http.get(api('/widget/v1/config'), ({ request }) =>
      new URL(request.url).searchParams.get('organization') === 'acme'
        ? answer({
            name: 'Northwind Coffee',
            branding: { ...branding, hide_powered_by: hidesProduct },
            identity_required: identityRequired,
            theme,
            portal_url: 'https://acme.desk.example',
            languages,
          })
        : refuse('organization.not_found', { detail: 'Organization not found for this domain' }),
    ),
    http.get(api('/widget/v1/form-fields'), () => answer([])),
    http.post(api('/widget/v1/tickets'), async ({ request }) => {
      await note(request);
      return answer(ticket, { status: 201 });
    }),
    http.get(api('/widget/v1/tickets/:id'), () => answer(ticket)),
    http.post(api('/widget/v1/tickets/:id/comments'), async ({ request }) => {
      await note(request);
      const content = String(sent.at(-1)?.body.content);
      const added = { id: `c${sent.length}`, content, is_from_customer: true, author_name: null, attachments: [], created_at: at };
      ticket = { ...ticket, comments: [...ticket.comments, added] };
      return answer({ comment: added, new_ticket: null }, { status: 201 });
    }),
  );
});
afterEach(() => {
  render(null, document.body);
});

const show = (search = '?organization=acme', hash = '') => {
  render(<App parameters={readParameters({ search, hash })} />, document.body);
  return userEvent.setup();
};
const submitButton = () => screen.findByRole('button', { name: 'Submit ticket' });

it('names the product, unless the organization hides it', async () => {
  show();
  expect(await screen.findByText('Powered by Tandem')).toBeInTheDocument();
  render(null, document.body);
  hidesProduct = true;
  show();
  await submitButton();
  expect(document.body).not.toHaveTextContent('Tandem');
});

describe('the theme', () => {
  const shown = () => document.documentElement.dataset.theme;

  it('is the settings’ theme unless the snippet sets one', async () => {
    theme = 'dark';
    show();
    await waitFor(() => expect(shown()).toBe('dark'));
  });

  it('is the snippet’s theme if it sets one', async () => {
    theme = 'dark';
    show('?organization=acme', '#theme=light');
    await submitButton();
    expect(shown()).toBe('light');
  });
});

describe('the language', () => {
  afterEach(() => {
    document.documentElement.lang = 'en';
    document.documentElement.dir = 'ltr';
  });

  it('is the snippet’s if the organization offers it, and is sent with the ticket', async () => {
    languages = { default: 'en', offered: ['en', 'de'] };
    const person = show('?organization=acme', '#lang=de-AT');
    await person.type(await screen.findByLabelText('Betreff'), 'Falsch gemahlen');
    await person.type(screen.getByLabelText('E-Mail'), 'jonas@example.com');
    await person.click(screen.getByRole('button', { name: 'Ticket senden' }));
    expect(await screen.findByText('Ihr Ticket wurde gesendet')).toBeInTheDocument();
    expect(document.documentElement.lang).toBe('de');
    expect(sent[0]?.body).toMatchObject({ language: 'de' });
  });

  it('is the organization’s default otherwise, from right to left in Arabic', async () => {
    languages = { default: 'ar', offered: ['ar'] };
    show('?organization=acme', '#lang=de');
    expect(await screen.findByRole('button', { name: 'إرسال التذكرة' })).toBeInTheDocument();
    expect(document.documentElement.dir).toBe('rtl');
  });
});

describe('the form', () => {
  it('names the missing fields next to them, and sends nothing', async () => {
    const person = show();
    await person.click(await submitButton());
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Validation Error');
    expect(alert).toHaveTextContent('Subject and email are required fields.');
    expect(screen.getByLabelText('Subject')).toHaveAccessibleDescription('Enter a subject');
    await waitFor(() => expect(screen.getByLabelText('Subject')).toHaveFocus());
    expect(sent).toEqual([]);
  });

  it('becomes a conversation, which this browser remembers', async () => {
    const person = show();
    await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
    await person.type(screen.getByLabelText('Email'), 'jonas@example.com');
    await person.click(await submitButton());
    expect(await screen.findByText('Ticket Submitted Successfully!')).toBeInTheDocument();
    expect(screen.getByText(/Your ticket NC-0042 has been created/)).toBeInTheDocument();
    expect(sent[0]).toMatchObject({ key: expect.any(String), body: { subject: 'Wrong grind', customer_email: 'jonas@example.com' } });
    expect(sent[0]?.body).not.toHaveProperty('website');
    await person.click(await screen.findByRole('button', { name: 'Back' }));
    expect(await screen.findByLabelText('Subject')).toHaveValue('');
    await person.click(await screen.findByRole('button', { name: 'Your tickets (1)' }));
    await person.click(await screen.findByRole('button', { name: /Wrong grind/ }));
    expect(await screen.findByRole('list', { name: 'Conversation' })).toHaveTextContent('Twelve bags');
  });

  it('shows the site’s placeholders and keeps the input', async () => {
    const person = show('?organization=acme', '#subject=Order+number&message=Tell+us');
    await person.type(await screen.findByPlaceholderText('Order number'), 'Half a');
    expect(screen.getByPlaceholderText('Tell us')).toBeInTheDocument();
    await waitFor(() => expect(widgetStorage('acme').draft('new').subject).toBe('Half a'));
    render(null, document.body);
    show();
    expect(await screen.findByLabelText('Subject')).toHaveValue('Half a');
  });

  it('keeps the text after a rejection with the reason, and resends the same text with the same key', async () => {
    server.use(http.post(api('/widget/v1/tickets'), () => refuse('limit.exceeded', {}, { 'retry-after': '30' }), { once: true }));
    const person = show();
    await person.type(await screen.findByLabelText('Subject'), 'Wrong grind');
    await person.type(screen.getByLabelText('Email'), 'jonas@example.com');
    await person.click(await submitButton());
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Failed to submit ticket. Please try again.');
    expect(alert).toHaveTextContent('Rate limit exceeded. Please wait 30 seconds.');
    expect(screen.getByLabelText('Subject')).toHaveValue('Wrong grind');
  });

  it('is hidden if the site requires verified visitors and the visitor is not verified', async () => {
    identityRequired = true;
    show();
    expect(await screen.findByText(/Please sign in on this website first/)).toBeInTheDocument();
    expect(screen.queryByLabelText('Subject')).not.toBeInTheDocument();
  });

  it('shows that the organization does not exist, with a retry', async () => {
    show('?organization=nobody');
    expect(await screen.findByText('Organization not found for this domain')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try Again' })).toBeInTheDocument();
  });
});

describe('a conversation', () => {
  const open = async () => {
    widgetStorage('acme').save({ id: ticket.id, ticket_number: 'NC-0042', subject: 'Wrong grind', email: 'jonas@example.com', seen: 0 });
    const person = show();
    await person.click(await screen.findByRole('button', { name: 'Your tickets (1)' }));
    await person.click(await screen.findByRole('button', { name: /Wrong grind/ }));
    await screen.findByRole('list', { name: 'Conversation' });
    return person;
  };

  it('accepts a reply and shows it', async () => {
    const person = await open();
    await person.type(screen.getByLabelText('Add a comment'), 'Any news?');
    await person.click(screen.getByRole('button', { name: 'Send comment' }));
    expect(await screen.findByText('Comment Added')).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({ email: 'jonas@example.com', content: 'Any news?' });
    expect(await within(screen.getByRole('list', { name: 'Conversation' })).findByText('Any news?')).toBeInTheDocument();
    expect(screen.getByLabelText('Add a comment')).toHaveValue('');
  });

  it('shows the customer-facing status and a link to the full page', async () => {
    ticket = aTicket({ status: 'waiting_for_customer' });
    await open();
    expect(screen.getByText('Pending')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: /Open full page/ })).toHaveAttribute(
      'href',
      `https://acme.desk.example/ticket-status/${ticket.id}?email=jonas%40example.com`,
    );
  });

  it.each([
    ['reopen', 'Your message reopens this ticket.'],
    ['new_ticket', /starts a new, linked ticket/],
  ] as const)('explains the effect of a message: %s', async (writing, text) => {
    ticket = aTicket({ status: 'resolved', writing });
    await open();
    expect(screen.getByText(text)).toBeInTheDocument();
    expect(screen.getByLabelText('Add a comment')).toBeInTheDocument();
  });

  it('that has ended links to a new ticket', async () => {
    ticket = aTicket({ status: 'closed', writing: 'locked' });
    const person = await open();
    expect(screen.queryByLabelText('Add a comment')).not.toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'submit a new ticket' }));
    expect(await submitButton()).toBeInTheDocument();
  });

  it('continues in the new ticket that the message started', async () => {
    ticket = aTicket({ status: 'resolved', writing: 'new_ticket' });
    const person = await open();
    const next = aTicket({ id: '01980000-0000-7000-8000-000000000002', ticket_number: 'NC-0043' });
    server.use(
      http.post(api('/widget/v1/tickets/:id/comments'), () =>
        answer({ comment: null, new_ticket: { id: next.id, ticket_number: next.ticket_number } }, { status: 201 }),
      ),
      http.get(api(`/widget/v1/tickets/${next.id}`), () => answer(next)),
    );
    await person.type(screen.getByLabelText('Add a comment'), 'Again');
    await person.click(screen.getByRole('button', { name: 'Send comment' }));
    expect(await screen.findByText('NC-0043')).toBeInTheDocument();
  });

  it('keeps an unsent message', async () => {
    const person = await open();
    server.use(http.post(api('/widget/v1/tickets/:id/comments'), () => refuse('service.unavailable'), { once: true }));
    await person.type(screen.getByLabelText('Add a comment'), 'Any news?');
    await person.click(screen.getByRole('button', { name: 'Send comment' }));
    expect(await screen.findByText(/Failed to add comment. Please try again./)).toBeInTheDocument();
    expect(screen.getByLabelText('Add a comment')).toHaveValue('Any news?');
  });
});

describe('untrusted input', () => {
  it('stores the last five tickets, newest first', () => {
    const stored = widgetStorage('acme');
    for (let i = 1; i <= 7; i++) stored.save({ id: String(i), ticket_number: `NC-${i}`, subject: 's', email: 'a@example.com', seen: 0 });
    expect(stored.tickets().map(({ id }) => id)).toEqual(['7', '6', '5', '4', '3']);
  });

  it.each(['nonsense', '{}', '[1,null,{"id":5}]'])('ignores the stored value %s', (text) => {
    localStorage.setItem('widget:acme:tickets', text);
    expect(widgetStorage('acme').tickets()).toEqual([]);
  });

  it('reads the visitor from a token, and ignores unreadable tokens', () => {
    const payload = btoa(JSON.stringify({ email: 'Jonas@Example.com', name: 'Jonas' })).replace(/=+$/, '');
    expect(readIdentity(`h.${payload}.s`)).toMatchObject({ email: 'jonas@example.com', name: 'Jonas' });
    for (const token of [null, 5, '', 'a.b.c', `h.${btoa('{}')}.s`, 'x'.repeat(5_000)]) expect(readIdentity(token)).toBeUndefined();
  });

  it('prefills only known fields with strings', () => {
    expect(checkedPrefill({ subject: 'x'.repeat(999), email: 5, website: 'trap', name: 'Jo' })).toEqual({
      subject: 'x'.repeat(255),
      name: 'Jo',
    });
    expect(checkedPrefill(null)).toEqual({});
  });

  it('accepts values of custom fields by valid keys', () => {
    const values = { order_number: 'A-17', bags: 12, opened: false, colors: ['red'], long: 'x'.repeat(9_000) };
    expect(checkedFields({ ...values, nested: {}, none: null, mixed: ['red', 1], nan: NaN, 'No-Key': 'x', ['k'.repeat(41)]: 'x' })).toEqual(
      {
        ...values,
        long: 'x'.repeat(5_000),
      },
    );
    expect(Object.keys(checkedFields(Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`k${index}`, 'x']))))).toHaveLength(50);
    for (const wrong of [null, undefined, 'text', ['x']]) expect(checkedFields(wrong)).toEqual({});
  });

  it('accepts exactly one origin', () => {
    expect(readParameters({ search: '', hash: '#host=https://shop.example' }).host).toBe('https://shop.example');
    for (const host of ['*', 'null', 'https://a.example/path', 'javascript:x']) {
      expect(readParameters({ search: '', hash: `#host=${host}` }).host).toBeUndefined();
    }
  });
});
