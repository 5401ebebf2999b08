import type { InboundMail, Mailbox, MailServer, SenderDomain } from '@tandem/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { http } from 'msw';
import { anId, backend } from '../../../testing/backend';
import { renderApp } from '../../../testing/render';
import { answer, api, refuse, server } from '../../../testing/server';

const at = '2026-11-20T10:05:00.000Z';
const address = 'support@northwindcoffee.mail.example';
let mailbox: Mailbox | null;
let mails: InboundMail[];
let saved: unknown[];
let sender: SenderDomain | null;
let mailServer: MailServer | null;

const aMail = (overrides: Partial<InboundMail> = {}): InboundMail => ({
  id: anId(),
  from_address: 'jonas@example.com',
  to_address: address,
  subject: 'Wrong grind',
  size: 2_000,
  outcome: 'ticket',
  reason: null,
  checks: null,
  ticket_id: anId(),
  received_at: at,
  ...overrides,
});

const recordOf = (selector: 1 | 2, overrides: Partial<SenderDomain['records'][number]> = {}) => ({
  name: `tnd${selector}._domainkey.example.com`,
  value: `tnd${selector}.0190.dkim.mail.example`,
  state: null,
  found: [],
  is_in_use: selector === 1,
  ...overrides,
});
const bouncesOf = (overrides: Partial<SenderDomain['bounces']> = {}, state: 'found' | null = null): SenderDomain['bounces'] => ({
  record: { name: 'tnd-bounces.example.com', value: '0190.mail.example', state, found: [] },
  is_verified: false,
  is_published: false,
  ...overrides,
});
const aSender = (overrides: Partial<SenderDomain> = {}): SenderDomain => ({
  domain: 'example.com',
  address: 'support@example.com',
  is_verified: false,
  is_key_published: false,
  records: [recordOf(1), recordOf(2)],
  bounces: bouncesOf(),
  dmarc: { name: '_dmarc.example.com', record: null, policy: null },
  key_created_at: at,
  is_rotating: false,
  checked_at: null,
  verified_at: null,
  ...overrides,
});
/** The result of the next check. */
let checked: Partial<SenderDomain>;

beforeEach(() => {
  checked = {};
  backend.signIn();
  mailbox = null;
  mails = [];
  saved = [];
  sender = null;
  mailServer = null;
  server.use(
    http.get(api('/email/server'), () => answer(mailServer)),
    http.put(api('/email/server'), async ({ request }) => {
      const body = (await request.clone().json()) as MailServer & { password?: string };
      saved.push(await request.json());
      const { password: _, ...stored } = body;
      mailServer = { ...stored, failing_since: null, last_error: null, tested_at: at };
      return answer(mailServer);
    }),
    http.delete(api('/email/server'), () => {
      mailServer = null;
      return answer({});
    }),
    http.get(api('/mail-in'), () => answer({ address, mailbox })),
    http.put(api('/mail-in/mailbox'), async ({ request }) => {
      const { password: _, ...body } = (await request.clone().json()) as Record<string, never>;
      saved.push(await request.json());
      mailbox = { ...(body as unknown as Mailbox), last_polled_at: null, last_error: null };
      return answer(mailbox);
    }),
    http.delete(api('/mail-in/mailbox'), () => {
      mailbox = null;
      return answer({});
    }),
    http.get(api('/email/sender-domain'), () => answer(sender)),
    http.put(api('/email/sender-domain'), async ({ request }) => {
      const { domain, local_part } = (await request.json()) as { domain: string; local_part: string };
      sender = aSender({ domain, address: `${local_part}@${domain}` });
      return answer(sender);
    }),
    http.post(api('/email/sender-domain/check'), () => {
      sender = { ...sender!, ...checked };
      return answer(sender);
    }),
    http.delete(api('/email/sender-domain'), () => {
      sender = null;
      return answer({});
    }),
    http.get(api('/mail-in/mails'), ({ request }) => {
      const outcome = new URL(request.url).searchParams.get('outcome');
      const found = mails.filter((mail) => !outcome || mail.outcome === outcome);
      return answer(found, { pagination: { page: null, limit: 25, total: found.length, next_cursor: null } });
    }),
  );
});
const open = () => renderApp('/settings?tab=email');
const card = async (name: string) => within(await screen.findByRole('region', { name }));

it('shows the address at which the organization receives email', async () => {
  open();
  expect(await screen.findByText(address)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Copy the address' })).toBeInTheDocument();
});

it('connects a mailbox without showing its password again', async () => {
  const { person } = open();
  let form = await card('IMAP mailbox');
  await person.type(await form.findByLabelText('IMAP server'), 'imap.example.com');
  await person.type(form.getByLabelText('Username'), 'support@example.com');
  expect(form.getByText('Unsaved: IMAP server, Username')).toBeInTheDocument();
  // After a visit to another panel, the form still contains the typed text.
  await person.click(screen.getByRole('link', { name: 'Branding' }));
  await screen.findByLabelText('Primary color');
  await person.click(screen.getByRole('link', { name: 'Email' }));
  form = await card('IMAP mailbox');
  expect(await form.findByLabelText('IMAP server')).toHaveValue('imap.example.com');
  await person.click(form.getByRole('button', { name: 'Save mailbox' }));
  expect(await form.findByText('Enter the password')).toBeInTheDocument();
  expect(saved).toEqual([]);
  await person.type(form.getByLabelText('Password'), 'hunter22');
  await person.click(form.getByRole('button', { name: 'Save mailbox' }));
  expect(await screen.findByText('Settings saved!')).toBeInTheDocument();
  const fields = { host: 'imap.example.com', port: 993, username: 'support@example.com', folder: 'INBOX', is_active: true };
  expect(saved).toEqual([{ ...fields, password: 'hunter22' }]);
  expect(form.getByLabelText('Password')).toHaveValue('');
  expect(form.getByRole('button', { name: 'Save mailbox' })).toBeDisabled();
  expect(await form.findByRole('button', { name: 'Disconnect' })).toBeInTheDocument();
});

it('shows why a mailbox could not be opened', async () => {
  const { person } = open();
  const detail = 'The server refused the user name or the password.';
  server.use(http.put(api('/mail-in/mailbox'), () => refuse('mailbox.unreachable', { detail })));
  const form = await card('IMAP mailbox');
  await person.type(await form.findByLabelText('IMAP server'), 'imap.example.com');
  await person.type(form.getByLabelText('Username'), 'x');
  await person.type(form.getByLabelText('Password'), 'y');
  await person.click(form.getByRole('button', { name: 'Save mailbox' }));
  expect(await form.findByText(detail)).toBeInTheDocument();
  expect(form.getByLabelText('IMAP server')).toHaveValue('imap.example.com');
});

it('shows that the last check failed, and disconnects after a confirmation', async () => {
  const named = { host: 'imap.example.com', port: 993, username: 'x', folder: 'INBOX', is_active: true };
  mailbox = { ...named, last_polled_at: at, last_error: 'The certificate has expired' };
  const { person } = open();
  const form = await card('IMAP mailbox');
  expect(await form.findByText(/The certificate has expired/)).toBeInTheDocument();
  await person.click(form.getByRole('button', { name: 'Disconnect' }));
  const dialog = within(await screen.findByRole('dialog'));
  await person.click(dialog.getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(mailbox).toBeNull());
});

it('shows the result of each email and filters by kind', async () => {
  mails = [
    aMail(),
    aMail({ subject: 'Virus', outcome: 'refused', reason: 'too_large', ticket_id: null }),
    aMail({ subject: null, outcome: null }),
  ];
  const { person } = open();
  const list = within(await screen.findByRole('list', { name: 'Incoming email' }));
  expect(list.getAllByRole('listitem')).toHaveLength(3);
  expect(list.getByText('(no subject)')).toBeInTheDocument();
  expect(list.getByText('Larger than 25 MB')).toBeInTheDocument();
  expect(list.getByText('Waiting')).toBeInTheDocument();
  expect(list.getAllByRole('link', { name: 'Open' })[0]).toHaveAttribute('href', `/tickets/${mails[0]?.ticket_id}`);
  await person.click(screen.getByRole('combobox', { name: 'Filter emails' }));
  await person.click(await screen.findByRole('option', { name: 'Refused' }));
  await waitFor(() => expect(within(screen.getByRole('list', { name: 'Incoming email' })).getAllByRole('listitem')).toHaveLength(1));
});

it('has no accessibility violations', async () => {
  mails = [aMail()];
  open();
  await screen.findByRole('list', { name: 'Incoming email' });
  const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

it('shows the SPF, DKIM and DMARC results of each sender', async () => {
  mails = [
    aMail({
      subject: 'Forged',
      checks: { spf: 'fail', dkim: 'none', dmarc: 'fail', policy: 'reject' },
      outcome: 'note',
      reason: 'disowned',
    }),
    aMail({ subject: 'Before DNS', checks: { spf: 'not_checked', dkim: 'not_checked', dmarc: 'not_checked', policy: null } }),
    aMail({ subject: 'By number', reason: 'number_alone' }),
  ];
  open();
  const list = await screen.findByRole('list', { name: 'Incoming email' });
  const [forged, unchecked, byNumber] = within(list).getAllByRole('listitem');
  expect(forged).toHaveTextContent('SPF: Fail · DKIM: None · DMARC: Fail');
  expect(forged).toHaveTextContent('rejects this email');
  expect(unchecked).toHaveTextContent('Sender not checked');
  expect(byNumber).toHaveTextContent('Sent without proof of the sender');
});

describe('the sender domain', () => {
  it('is set by an address, and shows the state of each record', async () => {
    const { person } = open();
    const form = await card('Sender domain');
    expect(await form.findByRole('button', { name: 'Save address' })).toBeDisabled();
    await person.type(form.getByLabelText('Sender address'), 'Help@Example.com');
    await person.click(form.getByRole('button', { name: 'Save address' }));
    expect(await form.findByText('Waiting for DNS')).toBeInTheDocument();
    expect(sender).toMatchObject({ domain: 'example.com', address: 'help@example.com' });
    expect(form.getAllByText('Not checked yet')).toHaveLength(3);
    expect(form.getByText('tnd-bounces.example.com')).toBeInTheDocument();
    expect(form.getByText(/third record is optional/)).toBeInTheDocument();
    checked = {
      checked_at: at,
      records: [recordOf(1, { state: 'wrong', found: ['tnd1.other.example'] }), recordOf(2, { state: 'missing' })],
      bounces: bouncesOf({}, 'found'),
    };
    await person.click(form.getByRole('button', { name: 'Check now' }));
    expect(await form.findByText('tnd1.other.example')).toBeInTheDocument();
    expect([form.getByText('Wrong value'), form.getByText('Missing')]).toHaveLength(2);
    expect(form.getByText(/no DMARC record/)).toBeInTheDocument();
    expect(form.getByText(/its target has no MX or SPF record yet/)).toBeInTheDocument();
    checked = { checked_at: at, records: [recordOf(1, { state: 'found' }), recordOf(2, { state: 'missing' })] };
    await person.click(form.getByRole('button', { name: 'Check now' }));
    expect(await form.findByText(/the key isn’t published yet/)).toBeInTheDocument();
    checked = {
      ...checked,
      is_verified: true,
      is_key_published: true,
      bounces: bouncesOf({ is_verified: true, is_published: true }, 'found'),
      dmarc: { name: '_dmarc.example.com', record: 'v', policy: 'reject' },
    };
    await person.click(form.getByRole('button', { name: 'Check now' }));
    expect(await form.findByText('Verified')).toBeInTheDocument();
    expect(form.getByText('Emails to customers come from help@example.com.')).toBeInTheDocument();
    expect(form.getByText(/Our emails pass it/)).toBeInTheDocument();
    expect(form.getByText(/emails also pass SPF for it/)).toBeInTheDocument();
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
  });

  it('shows why it was refused, and is removed after a confirmation', async () => {
    sender = aSender({ is_verified: true });
    const { person } = open();
    const form = await card('Sender domain');
    const errors = [{ path: 'domain', code: 'custom', message: 'Use your own domain' }];
    server.use(http.put(api('/email/sender-domain'), () => refuse('request.invalid', { errors })));
    const field = await form.findByLabelText('Sender address');
    await person.clear(field);
    await person.type(field, 'support@acme.tandem.example');
    await person.click(form.getByRole('button', { name: 'Save address' }));
    expect(await form.findByText('Use your own domain')).toBeInTheDocument();
    await person.click(form.getByRole('button', { name: 'Discard' }));
    expect(form.queryByText('Use your own domain')).not.toBeInTheDocument();
    expect(field).toHaveValue('support@example.com');
    await person.click(form.getByRole('button', { name: 'Remove' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(form.queryByText('Verified')).not.toBeInTheDocument());
    expect(sender).toBeNull();
  });
});

describe('the mail server', () => {
  const fill = async (person: ReturnType<typeof open>['person'], form: Awaited<ReturnType<typeof card>>) => {
    await person.click(await form.findByRole('button', { name: 'Add an SMTP server' }));
    await person.type(await form.findByLabelText('Sender address'), 'support@north.example');
    await person.type(form.getByLabelText('SMTP server'), 'smtp.north.example');
    await person.type(form.getByLabelText('Username'), 'north');
    await person.type(form.getByLabelText('Password'), 'hunter22');
  };

  it('is used after a test, with its password hidden, and removed after a confirmation', async () => {
    const { person } = open();
    const form = await card('SMTP server');
    await fill(person, form);
    await person.click(form.getByRole('combobox', { name: 'Encryption' }));
    await person.click(await screen.findByRole('option', { name: 'TLS' }));
    await person.click(form.getByRole('button', { name: 'Test and save' }));
    expect(await screen.findByText('Settings saved! A test email is in your mailbox.')).toBeInTheDocument();
    const fields = { host: 'smtp.north.example', port: 465, security: 'tls', username: 'north', from_address: 'support@north.example' };
    expect(saved).toEqual([{ ...fields, password: 'hunter22' }]);
    expect(await form.findByText('Emails to customers come from support@north.example, through this server.')).toBeInTheDocument();
    expect(form.getByLabelText('Password')).toHaveValue('');
    const { violations } = await axe.run(screen.getByRole('main'), { rules: { 'color-contrast': { enabled: false } } });
    expect(violations.map(({ id }) => id)).toEqual([]);
    await person.click(form.getByRole('button', { name: 'Remove' }));
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(mailServer).toBeNull());
  });

  it('shows the cause of a failed test at its field, and keeps the typed text', async () => {
    const { person } = open();
    const form = await card('SMTP server');
    await fill(person, form);
    const message = 'The server refused the user name or the password. The server answered: “535 5.7.8 Error”';
    const errors = [{ path: 'password', code: 'refused', message }];
    server.use(http.put(api('/email/server'), () => refuse('mail_server.test_failed', { detail: message, errors })));
    await person.click(form.getByRole('button', { name: 'Test and save' }));
    expect(await form.findByText(message)).toBeInTheDocument();
    expect(form.getByLabelText('SMTP server')).toHaveValue('smtp.north.example');
    // The message belongs to the field: it must not move above the form while the user corrects the value.
    await person.type(form.getByLabelText('Password'), 'x');
    await waitFor(() => expect(form.queryByText(message)).not.toBeInTheDocument());
    expect(form.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('shows how long emails have been waiting, and why', async () => {
    const named = { host: 'smtp.north.example', port: 587, security: 'starttls' as const, username: null, from_address: 's@north.example' };
    mailServer = { ...named, failing_since: at, last_error: 'smtp.north.example on port 587 refused the connection.', tested_at: at };
    open();
    const form = await card('SMTP server');
    expect(await form.findByText(/refused the connection/)).toBeInTheDocument();
    expect(form.getByText('Failing')).toBeInTheDocument();
  });
});

it('sends a test email, and shows the server’s response or why it failed', async () => {
  const { person } = open();
  const form = await card('Emails to customers');
  const test = { to: 'ada@north.example', from: 'support@north.example', sent_by: 'sender_domain', response: '250 Queued' };
  server.use(http.post(api('/email/test'), () => answer(test)));
  await person.click(form.getByRole('button', { name: 'Send a test email' }));
  expect(await form.findByText(/Sent to ada@north.example from support@north.example, signed for your sender domain/)).toBeInTheDocument();
  expect(form.getByText('250 Queued')).toBeInTheDocument();
  const detail = 'Our server did not accept the test email. It did not answer.';
  server.use(http.post(api('/email/test'), () => refuse('email.test_failed', { detail })));
  await person.click(form.getByRole('button', { name: 'Send a test email' }));
  expect(await form.findByText(detail)).toBeInTheDocument();
});
