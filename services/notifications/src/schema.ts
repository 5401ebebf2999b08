import type {
  accountChanged,
  AccountDeletion,
  ApiToken,
  Condition,
  customDomainLapsed,
  Branding,
  DataOf,
  emailStates,
  Language,
  Notification,
  NotificationKind,
  NotificationPreferences,
  Organization,
  reportDue,
  Role,
  ruleNeedsAttention,
  SlaClock,
  TicketStatus,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookReplay,
} from '@tandem/contracts';
import type { MailServerSecurity } from '@tandem/contracts/values';
import type { ColumnType, Generated } from 'kysely';
import type { Selector, SenderLookup } from './sender/sender-record';

export type EmailKind = keyof EmailData;
export type EmailState = (typeof emailStates)[number];

/** The kinds of change to a user's account. */
export type AccountChange = DataOf<typeof accountChanged>['what'];

/** The kinds of notification about tickets. */
export type TicketNoticeKind = Exclude<
  NotificationKind,
  | 'task_sync_failed'
  | 'custom_domain_lapsed'
  | 'sender_domain_lapsed'
  | 'mail_server_failing'
  | 'webhook_failing'
  | 'rule_failing'
  | 'export_ready'
>;

/** The data of an email to staff: the ticket and who caused the event. */
export interface StaffMail {
  ticket_id: string;
  ticket_number: string;
  subject: string;
  actor_name: string | null;
  /** The beginning of the comment or, for an assignment, of the request. Rows from older versions lack it. */
  content?: string | null;
  /** Whether `content` is an internal note. */
  is_internal?: boolean;
}
/** `due` is null for an escalation, which has no timer. */
export interface StaffSlaMail extends StaffMail {
  what: Extract<TicketNoticeKind, 'sla_warning' | 'sla_breached' | 'escalated'>;
  /** Rows from older versions lack the last two. */
  due: { clock: SlaClock['clock']; at: string; time_zone?: string; counts_working_time?: boolean } | null;
}

/** The ticket data of an email to its customer. */
export interface CustomerMail {
  ticket_id: string;
  ticket_number: string;
  subject: string;
  customer_name: string | null;
  /** The ticket's language when the email was queued. Rows from older versions lack it. */
  language?: Language | null;
  /** True if the customer opened the ticket by email: replies keep that email's subject. */
  by_mail: boolean;
}
/** An email about a new status, which waits until staff can no longer undo the change. */
interface StatusMail extends CustomerMail {
  /**
   * The version of the ticket with that status: the email is not sent if the status has changed since. Rows from older versions lack it.
   */
  status_version?: number;
}
/** With `survey`, the email also asks for a rating. */
interface EndOfTicketMail extends CustomerMail {
  survey: boolean;
}
/** `survey` is null until the email is sent: only then is it known whether another email has asked for a rating. */
interface EndStatusMail extends StatusMail {
  survey: boolean | null;
}
export interface ReplyMail extends EndOfTicketMail {
  author_name: string | null;
  content: string;
  files: string[];
  /** The status set in the same step; null if it did not change. */
  status: TicketStatus | null;
  /** The other recipients, named in the Cc header. Rows from older versions lack it. */
  cc?: string[];
  /** Written by a rule. Rows from older versions lack it. */
  is_automatic?: boolean;
  /** The customer's address in the copy for a recipient in Cc, who cannot open the customer's pages. */
  copy_of?: string;
}

/** One of the events that a digest collects. */
export interface DigestItem extends Omit<StaffMail, 'content' | 'is_internal'> {
  kind: TicketNoticeKind;
  /** The event that caused it, so that a repeated delivery is not added twice. */
  event_id: string;
}

/** `unsubscribe_token` identifies the report and its recipient; it is not opened here. */
export type ReportMail = Pick<DataOf<typeof reportDue>, 'frequency' | 'time_zone' | 'analytics'> & { unsubscribe_token: string };

/** `disabled` is null for a warning. `since` is null for an endpoint that asked to be disabled with 410. */
export interface WebhookWarning {
  url: string;
  since: string | null;
  last_error: string | null;
  disabled: 'failing' | 'gone' | null;
}

export type RuleWarning = DataOf<typeof ruleNeedsAttention>;

/** The data of each kind of email, stored as jsonb. `sealed_token` is removed once the email is sent. */
export interface EmailData {
  /** `request` is the customer's text, unless they sent it by email. Rows from older versions lack it. */
  ticket_created: CustomerMail & { request?: string | null };
  ticket_reply: ReplyMail;
  ticket_waiting: StatusMail;
  ticket_resolved: EndStatusMail;
  survey_invitation: StatusMail & { survey?: boolean | null };
  /** `in_reply_to` is the Message-ID of the refused email. */
  reply_refused: { ticket_id: string; ticket_number: string; in_reply_to: string | null; language?: Language | null };
  ticket_links: { tickets: { id: string; ticket_number: string; subject: string; status: TicketStatus }[]; language?: Language | null };
  /** Sealed with the purpose `email-confirmation`. */
  confirm_email: { first_name: string | null; sealed_token?: string };
  account_exists: { first_name: string | null };
  /** Sealed with the purpose `password-reset`. */
  password_reset: { first_name: string | null; sealed_token?: string };
  /** Sealed with the purpose `email-change`. */
  confirm_email_change: { first_name: string | null; sealed_token?: string };
  /** `deletion` if `what` is about the deletion of the organization. */
  account_changed: { first_name: string | null; what: AccountChange; deletion?: AccountDeletion | undefined };
  /** Sealed with the purpose `invitation`. */
  invitation: { invited_by: string | null; role: Role; expires_at: string; sealed_token?: string };
  api_token_created: Pick<ApiToken, 'name' | 'permissions' | 'networks' | 'expires_at' | 'creator_name' | 'created_at'>;
  staff_assigned: StaffMail;
  staff_mention: StaffMail;
  staff_customer_replied: StaffMail;
  staff_sla: StaffSlaMail;
  staff_snooze_ended: StaffMail;
  staff_delivery_failed: StaffMail;
  /** `message` describes what happened and what to do. */
  staff_task_sync_failed: { message: string };
  staff_custom_domain_lapsed: DataOf<typeof customDomainLapsed>;
  staff_sender_domain_lapsed: { domain: string };
  staff_mail_server_failing: { host: string; since: string; error: string };
  staff_webhook_failing: WebhookWarning;
  staff_rule_failing: RuleWarning;
  staff_export_ready: { days: number };
  staff_report: ReportMail;
  /** `more` is the number of events that are not in `items`. */
  staff_digest: { items: DigestItem[]; more: number };
}

interface Emails {
  id: string;
  organization_id: string | null;
  kind: EmailKind;
  to_address: string;
  data: ColumnType<EmailData[EmailKind], string, string>;
  ticket_id: string | null;
  event_id: string;
  state: Generated<EmailState>;
  claimed_until: ColumnType<string | null, string | null | undefined>;
  attempts: Generated<number>;
  last_error: ColumnType<string | null, string | null | undefined>;
  message_id: string;
  created_at: ColumnType<string, never>;
  sent_at: ColumnType<string | null, string | null | undefined>;
  /** Not sent before this time. */
  due_at: ColumnType<string | null, string | null | undefined>;
}

interface Organizations {
  organization_id: string;
  name: string;
  subdomain: string | null;
  languages: ColumnType<Organization['languages'], string, string>;
  is_demo: Generated<boolean>;
  sequence: number;
}

/** `text` is null if the organization uses the original text again: the row keeps the sequence of that event. */
interface WordingRow {
  organization_id: string;
  language: Language;
  key: string;
  text: string | null;
  sequence: number;
}

export interface Members {
  organization_id: string;
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  role: Role;
  is_active: boolean;
  sequence: number;
}

type Notifications = Notification & { organization_id: string; user_id: string; event_id: string };

interface BrandingRow {
  organization_id: string;
  branding: ColumnType<Branding, string, string>;
  sequence: number;
}

interface ReceivedMessageRow {
  organization_id: string;
  ticket_id: string;
  message_id: string;
  mail_references: string[];
  subject: string | null;
  received_at: string;
}

interface BouncedAddressRow {
  organization_id: string;
  address: string;
  reason: string | null;
  bounced_at: string;
}

interface SurveyInvitationRow {
  organization_id: string;
  ticket_id: string;
  created_at: Generated<string>;
}

export interface TicketFollowers {
  organization_id: string;
  ticket_id: string;
  ticket_number: string;
  subject: string;
  assigned_to: string | null;
  watchers: string[];
  version: number;
}

interface TaskSyncAlertRow {
  organization_id: string;
  subject: string;
  problem: string;
  notified_at: string;
}

interface NotificationPreferencesRow {
  organization_id: string;
  user_id: string;
  preferences: ColumnType<NotificationPreferences, string, string>;
}

export type WebhookEndpointRow = Omit<WebhookEndpoint, 'health' | 'condition' | 'created_at' | 'updated_at' | 'state' | 'version'> & {
  condition: ColumnType<Condition | null, string | null, string | null>;
  version: string;
  state: Generated<WebhookEndpoint['state']>;
  failing_event_id: string | null;
  other_failure_at: string | null;
  warned_hours: Generated<number>;
  is_throttled: Generated<boolean>;
  window_started_at: string | null;
  window_count: Generated<number>;
  sealed_secret: string;
  sealed_previous_secret: string | null;
  created_at: Generated<string>;
  updated_at: Generated<string>;
  deleted_at: string | null;
};

interface WebhookPositionRow {
  organization_id: string;
  last: number;
}

export interface WebhookEventRow {
  organization_id: string;
  id: string;
  position: number | null;
  type: string;
  ticket_id: string | null;
  ticket_number: string | null;
  sequence: number;
  occurred_at: string;
  is_internal: boolean;
  body: string;
  thin_body: string;
  created_at: Generated<string>;
}

export type WebhookDeliveryRow = Omit<WebhookDelivery, 'event_id' | 'attempts' | 'created_at'> & {
  organization_id: string;
  event_id: string;
  payload: 'full' | 'thin';
  replay_id: string | null;
  attempts: Generated<number>;
  claimed_until: string | null;
  created_at: Generated<string>;
};

type WebhookAttemptRow = Omit<WebhookAttempt, 'request_headers' | 'response_headers'> & {
  organization_id: string;
  delivery_id: string;
  request_headers: ColumnType<Record<string, string>, string, never>;
  response_headers: ColumnType<Record<string, string> | null, string | null, never>;
};

type WebhookReplayRow = Omit<WebhookReplay, 'state' | 'sent' | 'created_at'> & {
  organization_id: string;
  state: Generated<WebhookReplay['state']>;
  sent: Generated<number>;
  last_position: Generated<number>;
  next_batch_at: Generated<string>;
  created_at: Generated<string>;
};

interface WebhookHourRow {
  organization_id: string;
  endpoint_id: string;
  hour: string;
  delivered: Generated<number>;
  failed: Generated<number>;
  durations: Generated<(number | null)[]>;
}

interface SenderDomainRow {
  organization_id: string;
  domain: string;
  local_part: string;
  lookup: ColumnType<SenderLookup | null, string | null | undefined, string | null>;
  checked_at: ColumnType<string | null, string | null | undefined>;
  next_check_at: Generated<string>;
  verified_at: ColumnType<string | null, string | null | undefined>;
  bounces_verified_at: ColumnType<string | null, string | null | undefined>;
  created_at: Generated<string>;
}

interface MailServerRow {
  organization_id: string;
  host: string;
  port: number;
  security: MailServerSecurity;
  username: string | null;
  /** Sealed with the purpose `mail-server`. */
  sealed_password: string | null;
  from_address: string;
  tested_at: Generated<string>;
  failing_since: ColumnType<string | null, string | null | undefined>;
  last_error: ColumnType<string | null, string | null | undefined>;
  retry_at: ColumnType<string | null, string | null | undefined>;
  warned_hours: Generated<number>;
}

interface SenderKeyRow {
  organization_id: string;
  selector: Selector;
  /** Sealed with the purpose `dkim-key`. */
  sealed_private_key: string;
  public_key: string;
  state: 'active' | 'next' | 'retired';
  created_at: Generated<string>;
  retired_at: ColumnType<string | null, string | null | undefined>;
}

/** The tables of this service's database; `schema.int.spec.ts` compares them with the migrated database. */
export interface NotificationsSchema {
  emails: Emails;
  /** The same columns, for emails to users without an organization. */
  account_emails: Emails;
  organizations: Organizations;
  members: Members;
  notifications: Notifications;
  notification_preferences: NotificationPreferencesRow;
  branding: BrandingRow;
  wording: WordingRow;
  received_messages: ReceivedMessageRow;
  bounced_addresses: BouncedAddressRow;
  survey_invitations: SurveyInvitationRow;
  ticket_followers: TicketFollowers & {
    /** The version of the ticket with its latest change of status; 0 before the first. */
    status_version: Generated<number>;
  };
  task_sync_alerts: TaskSyncAlertRow;
  sender_domains: SenderDomainRow;
  sender_keys: SenderKeyRow;
  mail_servers: MailServerRow;
  webhook_endpoints: WebhookEndpointRow;
  webhook_positions: WebhookPositionRow;
  webhook_events: WebhookEventRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  webhook_replays: WebhookReplayRow;
  webhook_hours: WebhookHourRow;
}
