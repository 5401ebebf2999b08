import type { EmailProof, TicketEmail } from '@tandem/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { FakeEventSource } from '../../../testing/event-source';
import { aComment, anId, aTicket, backend } from '../../../testing/backend';
import type { UserEvent } from '@testing-library/user-event';
import { renderApp } from '../../../testing/render';

const at = '2026-11-20T10:05:00.000Z';
beforeEach(() => {
  backend.signIn();
  backend.tickets = [aTicket()];
});
const ticket = () => backend.tickets[0]!;
const open = () => renderApp(`/tickets/${ticket().id}`);
const part = async (name: string) => within(await screen.findByRole('region', { name }));
/** Opens a folded section. */
const unfold = async (person: UserEvent, name: string) => {
  const section = await part(name);
  await person.click(section.getByRole('button', { name: new RegExp(`^${name}`) }));
  return section;
};
const aMail = (overrides: Partial<TicketEmail> = {}): TicketEmail => ({
  id: anId(),
  kind: 'ticket_reply',
  to_address: ticket().customer_email,
  state: 'sent',
  attempts: 1,
  last_error: null,
  created_at: at,
  sent_at: at,
  ...overrides,
});

it('shows the emails to the customer and whether they arrived', async () => {
  const mails = [aMail(), aMail({ state: 'pending', sent_at: null }), aMail(), aMail({ kind: 'ticket_created' })];
  backend.emails = { emails: mails, bounced: [] };
  const { person } = open();
  const log = await unfold(person, 'Emails to the customer');
  // The state of the latest one is in the heading as well.
  expect(log.getAllByText('Sent')).toHaveLength(4);
  expect(log.getByText('Waiting')).toBeInTheDocument();
  expect(log.getByText('1 earlier')).toBeInTheDocument();
  expect(log.queryByRole('button', { name: 'Resend' })).not.toBeInTheDocument();
});

it('shows that an address bounces, and resends an email', async () => {
  const address = ticket().customer_email;
  const lost = aMail({ state: 'bounced', last_error: '550 5.1.1 no such user' });
  backend.emails = { emails: [lost], bounced: [{ address, reason: 'no such user', bounced_at: at }] };
  const { person } = open();
  const log = await part('Emails to the customer');
  expect(log.getByRole('alert')).toHaveTextContent(`Emails to ${address} bounce: no such user`);
  expect(log.getByText('550 5.1.1 no such user')).toBeInTheDocument();
  const conversation = within(screen.getByRole('list', { name: 'Conversation' }));
  expect(await conversation.findByText(/^This reply didn’t reach/)).toHaveTextContent(`reach ${address}: 550 5.1.1 no such user`);
  await person.click(log.getByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(log.getAllByText('Waiting').length).toBeGreaterThan(0));
  await waitFor(() => expect(log.queryByRole('alert')).not.toBeInTheDocument());
  expect(conversation.queryByText(/^This reply didn’t reach/)).not.toBeInTheDocument();
});

it('shows that another server delays an email', async () => {
  backend.emails = { emails: [aMail({ last_error: '4.4.1 No answer from host' })], bounced: [] };
  const { person } = open();
  const log = await unfold(person, 'Emails to the customer');
  expect(log.getAllByText('Delayed')).not.toHaveLength(0);
  expect(log.getByText('4.4.1 No answer from host')).toBeInTheDocument();
});

it('refetches the log when an email was sent', async () => {
  backend.emails = { emails: [aMail({ state: 'sending', sent_at: null })], bounced: [] };
  open();
  const log = await part('Emails to the customer');
  expect(log.getByText('Sending')).toBeInTheDocument();
  backend.emails = { emails: [aMail()], bounced: [] };
  FakeEventSource.last.send({ type: 'email.delivered', subject: ticket().id });
  expect(await log.findByText('Sent')).toBeInTheDocument();
});

it('shows the customer’s rating, and requests it only if there can be one', async () => {
  Object.assign(ticket(), { status: 'resolved', resolved_at: at });
  backend.survey = {
    ticket_id: ticket().id,
    customer_email: ticket().customer_email,
    rating: 4,
    feedback: 'Quick and kind',
    created_at: at,
  };
  const { unmount } = open();
  const satisfaction = await part('Satisfaction');
  expect(satisfaction.getByRole('img', { name: '4 of 5: Good' })).toBeInTheDocument();
  expect(satisfaction.getByText('Quick and kind')).toBeInTheDocument();
  unmount();
  Object.assign(ticket(), { status: 'open', resolved_at: null });
  const before = backend.calls.filter((call) => call.endsWith('/survey')).length;
  open();
  await screen.findByRole('region', { name: 'Watchers' });
  expect(backend.calls.filter((call) => call.endsWith('/survey'))).toHaveLength(before);
});

it('shows the channel, the verified customer and the followed-up ticket', async () => {
  const earlier = aTicket({ ticket_number: 'NC-0007', subject: 'The first time' });
  backend.tickets.push(earlier);
  Object.assign(ticket(), { channel: 'widget', customer_verified: true, follow_up_of_id: earlier.id });
  const { person } = open();
  const details = await unfold(person, 'Details');
  expect(await details.findByText('Website widget')).toBeInTheDocument();
  expect(details.getByText('Verified customer')).toBeInTheDocument();
  expect(await details.findByRole('link', { name: /NC-0007 The first time/ })).toHaveAttribute('href', `/tickets/${earlier.id}`);
});

it('shows the customer’s language unless it is the default one, and changes it', async () => {
  Object.assign(ticket(), { language: 'de', channel: 'portal' });
  const { person, unmount } = open();
  expect(await (await part('Customer')).findByText('Deutsch')).toBeInTheDocument();
  const details = await unfold(person, 'Details');
  await person.click(await details.findByRole('combobox', { name: 'Language' }));
  await person.click(await screen.findByRole('option', { name: 'English' }));
  await waitFor(() => expect(ticket().language).toBe('en'));
  await waitFor(() => expect(screen.queryByTitle('Customer’s language')).not.toBeInTheDocument());
  unmount();
});

it('names the company from the address, but not a public email service', async () => {
  const { unmount } = open();
  expect((await part('Customer')).getByText('example.com')).toBeInTheDocument();
  unmount();
  ticket().customer_email = 'jonas@gmail.com';
  open();
  expect((await part('Customer')).queryByText('gmail.com')).not.toBeInTheDocument();
});

it('orders the panel by what an agent needs first, and folds the rest', async () => {
  Object.assign(ticket(), { channel: 'email', category: 'Orders' });
  open();
  await part('Watchers');
  const panel = within(screen.getByRole('complementary', { name: 'Ticket details' }));
  const names = panel.getAllByRole('region').map((region) => region.getAttribute('aria-label'));
  expect(names.slice(0, 2)).toEqual(['Customer', 'Properties']);
  expect(names.slice(-3)).toEqual(['Watchers', 'Details', 'Timeline']);
  expect(panel.getByRole('button', { name: 'Timeline' })).toHaveAttribute('aria-expanded', 'false');
  expect(screen.getAllByText('Medium')).toHaveLength(1);
});

it('shows the original email on request, in a sandboxed frame', async () => {
  backend.comments = [
    aComment(ticket(), {
      content: 'Still broken',
      is_from_customer: true,
      author: null,
      has_original: true,
      email_proof: { matched_by: 'conversation', checks: { spf: 'pass', dkim: 'pass', dmarc: 'pass', policy: 'none' } },
    }),
  ];
  backend.original = {
    from: 'jonas@example.com',
    subject: 'Re: Wrong grind',
    sent_at: at,
    text: 'Still broken\n> what you wrote',
    quoted_text: '> what you wrote',
    html: '<p>Still broken</p><img data-src="https://example.com/x.png">',
  };
  const { person } = open();
  await person.click(await screen.findByRole('button', { name: 'Show original email' }));
  expect(await screen.findByText('SPF: Pass · DKIM: Pass · DMARC: Pass')).toBeInTheDocument();
  const frame = await screen.findByTitle('Original email');
  expect(frame).toHaveAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox');
  expect(frame.getAttribute('src')).not.toContain('pictures');
  await person.click(screen.getByRole('button', { name: 'Show images' }));
  expect(screen.getByTitle('Original email').getAttribute('src')).toContain('pictures=true');
});

it('warns about an email matched only by its number, with its checks', async () => {
  const checks = { spf: 'not_checked', dkim: 'none', dmarc: 'none', policy: null } as const;
  const email = (content: string, proof: Partial<EmailProof>) =>
    aComment(ticket(), { content, is_from_customer: true, author: null, email_proof: { matched_by: 'number', checks, ...proof } });
  backend.comments = [
    email('Please send it to my new address', {}),
    email('By the link in your email', { matched_by: 'conversation' }),
    email('From my own domain', { checks: { ...checks, dkim: 'pass', dmarc: 'pass' } }),
    email('From a forger', { matched_by: 'conversation', checks: { spf: 'fail', dkim: 'none', dmarc: 'fail', policy: 'reject' } }),
  ];
  open();
  const comment = (text: string) => waitFor(() => screen.getByText(text).closest('article')!);
  expect(await comment('Please send it to my new address')).toHaveTextContent('Sent without proof of the sender');
  expect(await comment('Please send it to my new address')).toHaveTextContent('SPF: Not checked · DKIM: None · DMARC: None');
  expect(await comment('By the link in your email')).not.toHaveTextContent('proof');
  expect(await comment('From my own domain')).not.toHaveTextContent('proof');
  expect(await comment('From a forger')).toHaveTextContent('Sender may be forged');
});

it('shows the address of an unknown sender', async () => {
  backend.comments = [
    aComment(ticket(), { content: 'From eve@example.com', is_internal: true, author: null, customer_email: 'eve@example.com' }),
  ];
  open();
  expect(await screen.findByText('eve@example.com')).toBeInTheDocument();
});

it('has no accessibility violations', async () => {
  Object.assign(ticket(), { status: 'resolved', resolved_at: at, channel: 'email' });
  backend.survey = { ticket_id: ticket().id, customer_email: ticket().customer_email, rating: 1, feedback: null, created_at: at };
  backend.emails = { emails: [aMail({ state: 'failed', last_error: 'refused' })], bounced: [] };
  open();
  await part('Emails to the customer');
  await part('Satisfaction');
  const { violations } = await axe.run(document.body, { rules: { 'color-contrast': { enabled: false } } });
  expect(violations.map(({ id }) => id)).toEqual([]);
});
