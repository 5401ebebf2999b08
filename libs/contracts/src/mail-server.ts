import * as z from 'zod';
import { event, operation } from './define';
import { email, requiredText, text, Timestamp } from './scalars';
import { emailRoutes, mailServerSecurities } from './values/mail-server';

const owner = 'notifications';

// ---- shapes ---------------------------------------------------------------------------------------------------

/** An organization's own SMTP server, which sends its emails to customers. The password is write-only. */
export const MailServer = z.object({
  host: z.string(),
  port: z.number().int(),
  security: z.enum(mailServerSecurities),
  /** Null if the server needs no sign-in. */
  username: z.string().nullable(),
  from_address: z.string(),
  /** The time since which emails have been waiting because the server does not accept them; null while it works. */
  failing_since: Timestamp.nullable(),
  /** The failure and what to do about it; null while the server works. */
  last_error: z.string().nullable(),
  tested_at: Timestamp,
});
export type MailServer = z.infer<typeof MailServer>;

export const SaveMailServer = z.strictObject({
  host: requiredText(253, 'Enter the SMTP server'),
  port: z.number().int().min(1).max(65_535).default(587),
  security: z.enum(mailServerSecurities).default('starttls'),
  /** Empty: no sign-in. */
  username: text(254).default(''),
  /** Omitted: the stored password is kept, if host, port, security and user name are the same. */
  password: z.string().min(1, 'Enter the password').max(1_000).optional(),
  from_address: email(),
});

/** A test email that the server has accepted. */
export const TestEmail = z.object({
  to: z.string(),
  from: z.string(),
  sent_by: z.enum(emailRoutes),
  /** The mail server's own response. */
  response: z.string(),
});
export type TestEmail = z.infer<typeof TestEmail>;

// ---- operations -----------------------------------------------------------------------------------------------

export const readMailServer = operation({
  name: 'notifications.readMailServer',
  summary: 'Read the organization’s own SMTP server; null without one.',
  owner,
  method: 'GET',
  path: '/email/server',
  allow: 'organization.write',
  output: MailServer.nullable(),
});
export const saveMailServer = operation({
  name: 'notifications.saveMailServer',
  summary:
    'Send emails to customers through the organization’s own SMTP server. It is used if it accepts a test email to the caller’s own address.',
  owner,
  method: 'PUT',
  path: '/email/server',
  allow: 'organization.write',
  limit: 'email_test',
  input: { body: SaveMailServer },
  output: MailServer,
  problems: ['mail_server.test_failed'],
});
export const deleteMailServer = operation({
  name: 'notifications.deleteMailServer',
  summary: 'Stop sending emails to customers through the organization’s own SMTP server.',
  owner,
  method: 'DELETE',
  path: '/email/server',
  allow: 'organization.write',
  output: z.object({}),
  problems: ['mail_server.not_found'],
});
export const sendTestEmail = operation({
  name: 'notifications.sendTestEmail',
  summary: 'Send a test email to the caller’s own address, the same way as emails to customers.',
  owner,
  method: 'POST',
  path: '/email/test',
  allow: 'organization.write',
  limit: 'email_test',
  output: TestEmail,
  problems: ['email.test_failed'],
});

// ---- events ---------------------------------------------------------------------------------------------------

/** For the audit log. Its subject is the organization. `failure` is set for `failing`, which repeats for each warning. */
export const mailServerChanged = event(
  'mail_server.changed',
  owner,
  z.object({
    what: z.enum(['saved', 'failing', 'recovered', 'deleted']),
    host: z.string(),
    from_address: z.string(),
    failure: z.object({ since: Timestamp, error: z.string() }).nullable().default(null),
  }),
  { audited: true },
);
