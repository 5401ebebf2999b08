import * as z from 'zod';
import { ApiToken } from './api-tokens';
import { ArticleRating } from './articles';
import { AuditEntry } from './audit';
import { Branding } from './branding';
import type { ServiceName } from './define';
import { Integration } from './integrations';
import { Mailbox, OriginalMail } from './mail-in';
import { MailServer } from './mail-server';
import { Invitation, Member, OidcConnection, Organization } from './organizations';
import { Report } from './reports';
import { Id, Timestamp } from './scalars';
import { emailStates } from './notifications';
import { SenderDomain } from './sender-domain';
import { NotificationPreferences } from './staff-notifications';
import { WebhookEndpoint } from './webhooks';
import { WidgetSettings } from './widget';
import { CustomerText } from './wording';

/**
 * Lines of the files of an export that no import reads: settings that belong to this installation, and logs. They are for people and other
 * programs. No line contains a password, a token, a secret, or the hash of one.
 */

/** A piece of a picture of the branding, as base64; a file contains the pieces of a picture in their order. */
const BrandingPicture = z.object({ id: Id, content_type: z.string(), piece: z.number().int(), base64: z.string() });

/** What customers answered to 'Did this help?'. */
const ArticleRatingLine = ArticleRating.extend({ article: z.string() });

/** An email as it arrived, of which the conversation shows only the new text. `comment` is null for the email that opened the ticket. */
const OriginalEmailLine = z.object({
  ticket: z.string(),
  comment: z.string().nullable(),
  from: OriginalMail.shape.from,
  subject: OriginalMail.shape.subject,
  sent_at: OriginalMail.shape.sent_at,
  text: OriginalMail.shape.text,
  quoted_text: OriginalMail.shape.quoted_text,
  html: OriginalMail.shape.html,
});

const NotificationPreferencesLine = z.object({ user_id: Id, preferences: NotificationPreferences });

const ConnectionLine = z.object({
  id: Id,
  provider: z.string(),
  state: z.string(),
  kind: z.string(),
  account_name: z.string(),
  connected_by: Id.nullable(),
  connected_at: Timestamp,
});

const IntegrationLine = Integration.pick({
  id: true,
  provider: true,
  workspace_id: true,
  workspace_name: true,
  space_id: true,
  space_name: true,
  list_id: true,
  list_name: true,
  field_mappings: true,
  status_mappings: true,
  rules: true,
  comment_sync: true,
  conflict_rule: true,
  on_task_finished: true,
  closed_meanings: true,
  finished_reply: true,
  is_active: true,
  created_at: true,
});

/** A ticket and its task. */
const LinkLine = z.object({
  ticket: z.string(),
  integration_id: Id,
  state: z.string(),
  task_id: z.string().nullable(),
  task_url: z.string().nullable(),
  created_at: Timestamp,
});

/** An email to a customer. `data` is what its template showed. */
const SentEmailLine = z.object({
  id: Id,
  kind: z.string(),
  to: z.string(),
  ticket: z.string().nullable(),
  data: z.unknown(),
  state: z.enum(emailStates),
  created_at: Timestamp,
  sent_at: Timestamp.nullable(),
});
/** An email of a customer as the log of incoming email has it. */
const ReceivedEmailLine = z.object({
  to: z.string(),
  from: z.string().nullable(),
  subject: z.string().nullable(),
  outcome: z.string().nullable(),
  ticket: z.string().nullable(),
  received_at: Timestamp,
});
/** A ticket of another customer on which this one has written, or is in Cc. Nothing else of it is exported. */
const OtherTicketLine = z.object({ ticket: z.string(), number: z.string(), is_in_cc: z.boolean() });
/** What was copied for the task tool. */
const TaskCopyLine = z.object({
  ticket: z.string(),
  subject: z.string(),
  description: z.string().nullable(),
  customer_name: z.string().nullable(),
  customer_email: z.string(),
});

const files = {
  'organization.jsonl': { service: 'identity', schema: Organization },
  'members.jsonl': { service: 'identity', schema: Member.omit({ organization_id: true }) },
  'invitations.jsonl': { service: 'identity', schema: Invitation.omit({ organization_id: true }) },
  'single_sign_on.jsonl': {
    service: 'identity',
    schema: OidcConnection.pick({ issuer: true, client_id: true, is_active: true, auto_join: true, updated_at: true }),
  },
  'branding.jsonl': { service: 'identity', schema: Branding.omit({ organization_id: true, custom_domain_record: true }) },
  'branding_pictures.jsonl': { service: 'identity', schema: BrandingPicture },
  'wording.jsonl': {
    service: 'identity',
    schema: CustomerText.pick({ part: true, language: true, key: true, text: true, updated_at: true }),
  },
  'widget.jsonl': { service: 'identity', schema: WidgetSettings.omit({ has_secret: true }) },
  'api_tokens.jsonl': {
    service: 'identity',
    schema: ApiToken.pick({
      id: true,
      name: true,
      permissions: true,
      networks: true,
      is_active: true,
      expires_at: true,
      last_used_at: true,
      created_by: true,
      created_at: true,
    }),
  },
  'audit_log.jsonl': { service: 'identity', schema: AuditEntry },
  'mailboxes.jsonl': {
    service: 'tickets',
    schema: Mailbox.pick({ host: true, port: true, username: true, folder: true, is_active: true }),
  },
  'original_emails.jsonl': { service: 'tickets', schema: OriginalEmailLine },
  'article_ratings.jsonl': { service: 'tickets', schema: ArticleRatingLine },
  'mail_servers.jsonl': {
    service: 'notifications',
    schema: MailServer.pick({ host: true, port: true, security: true, username: true, from_address: true }),
  },
  'sender_domains.jsonl': {
    service: 'notifications',
    schema: SenderDomain.pick({ domain: true, address: true, verified_at: true }),
  },
  'notification_preferences.jsonl': { service: 'notifications', schema: NotificationPreferencesLine },
  'webhook_endpoints.jsonl': {
    service: 'notifications',
    schema: WebhookEndpoint.pick({
      id: true,
      url: true,
      description: true,
      events: true,
      condition: true,
      payload: true,
      version: true,
      include_internal_notes: true,
      state: true,
      created_by: true,
      created_at: true,
      updated_at: true,
    }),
  },
  'connections.jsonl': { service: 'integrations', schema: ConnectionLine },
  'integrations.jsonl': { service: 'integrations', schema: IntegrationLine },
  'links.jsonl': { service: 'integrations', schema: LinkLine },
  'report_schedules.jsonl': { service: 'analytics', schema: Report.omit({ version: true }) },
  // Only in exports of a customer.
  'received_emails.jsonl': { service: 'tickets', schema: ReceivedEmailLine },
  'other_tickets.jsonl': { service: 'tickets', schema: OtherTicketLine },
  'sent_emails.jsonl': { service: 'notifications', schema: SentEmailLine },
  'task_copies.jsonl': { service: 'integrations', schema: TaskCopyLine },
} as const satisfies Record<string, { service: ServiceName; schema: z.ZodType }>;

/** The files that no import reads, in the order of the archive, with the service that has their lines. */
export const exportLineFiles = files;
export type ExportLineFile = keyof typeof files;
/** A line of such a file. */
export type ExportLine<File extends ExportLineFile> = z.output<(typeof files)[File]['schema']>;
/** The files of which a service sends the lines. */
export type ExportFilesOf<Service extends ServiceName> = {
  [File in ExportLineFile]: (typeof files)[File]['service'] extends Service ? File : never;
}[ExportLineFile];
