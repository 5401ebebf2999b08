import { matchLanguage, Permanent, type Language, type TestEmail } from '@tandem/contracts';
import { bounceHostOf } from '@tandem/contracts/values';
import type { Tx } from '@tandem/db';
import { translator } from '@tandem/languages';
import type { EmailTokens } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { EmailData, NotificationsSchema } from '../schema';
import { mailServerPurpose } from '../mail-server/mail-server';
import type { OwnMailServer } from '../mail-server/own-mail-server';
import { dkimKeyPurpose, keySelector } from '../sender/sender-record';
import { autoSubmitted, isAboutTicket, isForCustomers } from './email';
import type { EmailTexts } from './email-content';
import { findOrganization, type Email, type NewEmailRow } from './email.store';
import type { OutgoingMail } from './mailer';
import { render } from './render';
import { threadOf } from './thread';
import { findConversation, type Conversation } from './thread.store';
import { oneLine } from './text';

/** Data that is read when an email is sent rather than stored in its row, because it may have changed since the row was written. */
export interface ComposeInput {
  organization: Omit<Awaited<ReturnType<typeof findOrganization>>[number], 'bounced_address' | 'reason'> | undefined;
  conversation: Conversation;
  /** Set if an earlier email to this address bounced. */
  bounce: { reason: string | null } | undefined;
}
const nothing: ComposeInput = { organization: undefined, conversation: { received: [], sent: [] }, bounce: undefined };

/** In one round trip, and with one query for all emails of an organization to customers with the same language. */
export function findComposeInputs(tx: Tx<NotificationsSchema>, emails: readonly NewEmailRow[]): Promise<ComposeInput[]> {
  const organizations = new Map<string, ReturnType<typeof findOrganization>>();
  for (const [key, alike] of Map.groupBy(emails, organizationKey)) {
    const [{ organization_id }] = alike as [NewEmailRow];
    if (organization_id === null) continue;
    const addresses = alike.map(({ to_address }) => to_address);
    organizations.set(key, findOrganization(tx, organization_id, addresses, languageOf(alike[0]!)));
  }
  return Promise.all(emails.map((email) => findComposeInput(tx, email, organizations.get(organizationKey(email)))));
}

const organizationKey = (email: NewEmailRow): string => `${email.organization_id} ${languageOf(email) ?? ''}`;

async function findComposeInput(
  tx: Tx<NotificationsSchema>,
  email: NewEmailRow,
  organizations: ReturnType<typeof findOrganization> | undefined,
): Promise<ComposeInput> {
  const { organization_id, ticket_id } = email;
  if (organization_id === null || organizations === undefined) return nothing;
  const isInThread = isForCustomers(email.kind) && ticket_id !== null;
  const [rows, conversation] = await Promise.all([
    organizations,
    isInThread ? findConversation(tx, organization_id, ticket_id, email) : nothing.conversation,
  ]);
  const to_address = email.to_address.toLowerCase();
  const found = rows.find(({ bounced_address }) => bounced_address === to_address) ?? rows[0];
  if (!found) return nothing;
  const { bounced_address, reason, ...organization } = found;
  const hasBounced = isForCustomers(email.kind) && bounced_address === to_address;
  return { organization, bounce: hasBounced ? { reason } : undefined, conversation };
}

/** The customer's language, if it is known. */
const languageOf = ({ data }: Pick<Email, 'data'>): Language | null | undefined => ('language' in data ? data.language : undefined);

/** The texts in the customer's language if the organization offers it, otherwise in its default language; with the organization's own. */
function textsOf(email: Email, { languages, wording }: NonNullable<ComposeInput['organization']>): EmailTexts {
  const language = matchLanguage([languageOf(email)], languages.offered, languages.default);
  const own = wording.filter((each) => each.language === language).map(({ key, text }): [string, string] => [key, text]);
  return translator('email', language, own.length === 0 ? undefined : Object.fromEntries(own));
}

/** How long the first reply to an email waits for that email's Message-ID, which arrives in a separate event. */
const messageWaitMs = 30_000;

interface ComposeOptions {
  config: NotificationsConfig;
  tokens: EmailTokens;
  open: (purpose: string, sealed: string) => string;
  now?: number;
}

/** Builds the complete email. Throws if it cannot be built yet, and `Permanent` if it must not be sent. */
export function composeEmail(email: Email, input: ComposeInput, { config, tokens, open, now = Date.now() }: ComposeOptions): OutgoingMail {
  const { organization, conversation, bounce } = input;
  if (email.organization_id !== null && !organization) throw new Error('the organization of this email is not known yet');
  if (bounce) throw new Permanent(`An earlier email to this address bounced${bounce.reason ? `: ${bounce.reason}` : ''}`);
  const data = email.data as Partial<EmailData['ticket_reply'] & EmailData['reply_refused']>;
  if (data.by_mail && conversation.received.length === 0 && now - Date.parse(email.created_at) < messageWaitMs)
    throw new Error('the email that this one answers is not known yet');

  const support = organization ? tokens.supportAddress(organization) : config.MAIL_FROM;
  const rendered = render(email.kind, email.data, {
    public_url: config.PUBLIC_URL,
    is_single_organization: config.SINGLE_ORGANIZATION,
    organization: organization ? { ...organization, support } : null,
    to_address: email.to_address,
    ...(organization && isForCustomers(email.kind) ? { texts: textsOf(email, organization) } : {}),
    thread_subject: conversation.received.at(-1)?.subject ?? null,
    open,
  });
  const automatic = autoSubmitted(email.kind, data.is_automatic);
  const { unsubscribe, ...parts } = rendered;
  return {
    ...parts,
    message_id: email.message_id,
    to: email.to_address,
    ...(data.cc ? { cc: data.cc } : {}),
    ...(data.copy_of === undefined ? {} : { copy_of: data.copy_of }),
    ...addressesOf(email, organization, { config, tokens, open }),
    ...threadOf(mailsOf(conversation, data.in_reply_to ?? null, email.created_at)),
    headers: {
      ...(automatic === null ? {} : { 'Auto-Submitted': automatic, 'X-Auto-Response-Suppress': 'All' }),
      // One click in the mail program (RFC 8058).
      ...(unsubscribe ? { 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
      // Stops mail loops: our own header identifies emails that Tandem sent.
      'X-Tandem-Loop': email.organization_id ?? 'tandem',
    },
  };
}

/** The verified sender domain, or null: then emails come from the product's domain. */
function senderOf({
  sender_domain: domain,
  sender_local_part: local_part,
  sender_selector: selector,
  sender_sealed_key: sealed_key,
  sender_bounces_verified_at: bounces_verified_at,
}: NonNullable<ComposeInput['organization']>) {
  if (domain === null || selector === null || sealed_key === null) return null;
  const bounce_host = bounces_verified_at === null ? undefined : bounceHostOf(domain);
  return { address: `${local_part}@${domain}`, domain, selector, sealed_key, bounce_host };
}

/** The organization's own server with its opened password, or null: then the product's server sends. */
function serverOf(
  {
    organization_id,
    server_host: host,
    server_port: port,
    server_security: security,
    server_from_address: from_address,
    server_username: user,
    server_sealed_password: sealed,
  }: NonNullable<ComposeInput['organization']>,
  open: ComposeOptions['open'],
): OwnMailServer | null {
  if (host === null || port === null || security === null || from_address === null) return null;
  const auth = user === null || sealed === null ? undefined : { user, pass: open(mailServerPurpose, sealed) };
  return { organization_id, host, port, security, from_address, auth };
}

/**
 * From, signature and server of emails to customers: the organization's own server comes first, then the sender domain, then the product's
 * server.
 */
export function routeOf(
  organization: NonNullable<ComposeInput['organization']>,
  { tokens, open }: Pick<ComposeOptions, 'tokens' | 'open'>,
  email_id: string,
): Pick<OutgoingMail, 'signature' | 'server'> & { bounce_to: string; address: string; sent_by: TestEmail['sent_by'] } {
  const server = serverOf(organization, open);
  // Most servers refuse any other envelope sender, and SPF of our domain does not list them. Bounces go to this address.
  if (server) return { sent_by: 'mail_server', address: server.from_address, server, bounce_to: server.from_address };
  const sender = senderOf(organization);
  const bounce_to = tokens.bounceAddress(organization, email_id, sender?.bounce_host);
  if (!sender) return { sent_by: 'product', address: tokens.supportAddress(organization), bounce_to };
  const privateKey = open(dkimKeyPurpose, sender.sealed_key);
  const signature = { domainName: sender.domain, keySelector: keySelector(sender.selector), privateKey };
  return { sent_by: 'sender_domain', address: sender.address, signature, bounce_to };
}

/**
 * Emails to customers come from the organization's own address, and replies to them find their ticket. An agent's reply has the agent's
 * name. All other emails come from the product's address.
 *
 * With a sender domain, the signature aligns the From address for DMARC, and SPF does so as well once the domain has a bounce host.
 * Replies still arrive at the product's domain, where their ticket is found. With the organization's own server, bounces go to the From
 * address.
 */
function addressesOf(
  email: Email,
  organization: ComposeInput['organization'],
  { config, tokens, open }: Pick<ComposeOptions, 'config' | 'tokens' | 'open'>,
) {
  const team = organization ? oneLine(organization.name, 80) : '';
  const { author_name } = email.data as Partial<EmailData['ticket_reply']>;
  const name = author_name ? `${oneLine(author_name, 80)} from ${team}` : organization ? `${team} Support` : 'Tandem';
  if (!organization || !isForCustomers(email.kind)) return { from: { name, address: config.MAIL_FROM } };
  const support = tokens.supportAddress(organization);
  const answers = email.ticket_id !== null && isAboutTicket(email.kind) && email.kind !== 'reply_refused';
  const { address, sent_by: _, ...route } = routeOf(organization, { tokens, open }, email.id);
  return {
    from: { name, address },
    reply_to: answers ? tokens.replyAddress(organization, email.ticket_id!) : support,
    ...route,
  };
}

/** `in_reply_to` is the Message-ID of an email that was not added to the ticket but is still answered. */
const mailsOf = ({ received, sent }: Conversation, in_reply_to: string | null, at: string) => [
  ...received.map(({ message_id, mail_references, received_at }) => ({ message_id, references: mail_references, at: received_at })),
  ...sent.map(({ message_id, sent_at }) => ({ message_id, at: sent_at })),
  ...(in_reply_to === null ? [] : [{ message_id: in_reply_to, at }]),
];
