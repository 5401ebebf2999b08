import { brandingDefaults, type Branding, type Language } from '@tandem/contracts';
import { translator } from '@tandem/languages';
import type { RenderContext } from '../src/email/render';
import type { EmailData, EmailKind } from '../src/schema';
import { aReport } from './report';

const ticket = {
  ticket_id: '01980000-0000-7000-8000-000000000042',
  ticket_number: 'NOR-0042',
  subject: 'Order arrived with the wrong grind',
};
const customer = { ...ticket, customer_name: 'Jonas Weber', by_mail: false };
const staff = { ...ticket, actor_name: 'Priya Raman' };
const request =
  'Hello,\n\nall twelve bags came ground for filter, but we ordered whole beans. Could you send replacements before Friday?\n\nJonas';
const reply = {
  ...customer,
  author_name: 'Priya Raman',
  content: [
    'Hello Jonas,',
    'I’m sorry about that. **Twelve bags of whole beans** left our roastery this morning:',
    '- Tracking: [DHL 00340434](https://tracking.example.com/00340434)\n- Arrives on Thursday\n- Keep the ground coffee, it’s on us',
    '> all twelve bags came ground for filter',
    'Please send `order 48213` if anything is missing.\n\nPriya',
  ].join('\n\n'),
  files: [],
  status: null,
  survey: false,
} satisfies EmailData['ticket_reply'];
const due = { clock: 'response' as const, at: '2026-11-27T16:00:00.000Z', time_zone: 'Europe/Berlin', counts_working_time: true };

const deletion = {
  organization_id: '01980000-0000-7000-8000-000000000001',
  organization_name: 'Northwind',
  actor_name: 'Grace Okafor',
  requested_at: '2026-11-24T10:00:00.000Z',
  delete_at: '2026-12-08T10:00:00.000Z',
};

type Samples = { [K in EmailKind]: Record<string, EmailData[K]> };

/** An email of each kind, named after its special feature. */
export const emailSamples: Samples = {
  ticket_created: { '': { ...customer, request }, 'by email': { ...customer, customer_name: null, by_mail: true, request: null } },
  ticket_reply: {
    '': reply,
    'with files and a survey': { ...reply, files: ['label.pdf', 'photo of the bags.jpg'], status: 'resolved', survey: true },
    'from no person': { ...reply, author_name: null, content: 'We received your parcel.' },
  },
  ticket_waiting: { '': customer },
  ticket_resolved: { '': { ...customer, survey: false }, 'with a survey': { ...customer, survey: true } },
  survey_invitation: { '': customer },
  reply_refused: { '': { ...ticket, in_reply_to: null } },
  ticket_links: {
    '': {
      tickets: [
        { id: ticket.ticket_id, ticket_number: 'NOR-0042', subject: ticket.subject, status: 'open' },
        { id: ticket.ticket_id, ticket_number: 'NOR-0037', subject: 'Invoice for October', status: 'waiting_for_customer' },
        { id: ticket.ticket_id, ticket_number: 'NOR-0012', subject: 'Delivery to a parcel locker', status: 'closed' },
      ],
    },
  },
  confirm_email: { '': { first_name: 'Ada', sealed_token: 'x' } },
  account_exists: { '': { first_name: 'Ada' } },
  password_reset: { '': { first_name: 'Ada', sealed_token: 'x' } },
  confirm_email_change: { '': { first_name: 'Ada', sealed_token: 'x' } },
  account_changed: {
    password: { first_name: 'Ada', what: 'password_changed' },
    address: { first_name: null, what: 'email_changed' },
    'two-factor': { first_name: 'Ada', what: 'mfa_disabled' },
    'deletion requested': { first_name: 'Ada', what: 'deletion_requested', deletion },
    'deletion due': { first_name: null, what: 'deletion_due', deletion },
    'deletion cancelled': { first_name: 'Ada', what: 'deletion_cancelled', deletion: { ...deletion, actor_name: null } },
    deleted: { first_name: 'Ada', what: 'deleted', deletion },
  },
  invitation: { '': { invited_by: 'Grace Okafor', role: 'agent', expires_at: '2026-12-01T09:00:00.000Z', sealed_token: 'x' } },
  api_token_created: {
    '': {
      name: 'Order importer',
      permissions: ['tickets:read', 'tickets:write'],
      networks: ['203.0.113.0/24'],
      expires_at: '2027-11-24T10:00:00.000Z',
      creator_name: 'Grace Okafor',
      created_at: '2026-11-24T10:00:00.000Z',
    },
  },
  staff_assigned: { '': { ...staff, content: request } },
  staff_mention: { '': { ...staff, content: 'Could you check with the roastery? @Ada knows the batch.', is_internal: true } },
  staff_customer_replied: { '': { ...staff, actor_name: 'Jonas Weber', content: 'Thursday is fine, thank you!' } },
  staff_sla: {
    'due soon': { ...staff, actor_name: null, what: 'sla_warning', due },
    missed: { ...staff, actor_name: null, what: 'sla_breached', due },
    escalated: { ...staff, actor_name: null, what: 'escalated', due: null },
  },
  staff_snooze_ended: { '': { ...staff, actor_name: null } },
  staff_delivery_failed: { '': { ...staff, actor_name: null, content: null } },
  staff_task_sync_failed: { '': { message: 'ClickUp rejected the token. Reconnect ClickUp to continue the sync.' } },
  staff_custom_domain_lapsed: {
    '': {
      domain: 'support.northwind.example',
      missing_since: '2026-11-20T10:00:00.000Z',
      releases_at: '2026-12-20T10:00:00.000Z',
      record: { name: '_tandem.support.northwind.example', value: 'tandem-verification=2f8a6c1e9b7d4a53' },
    },
  },
  staff_sender_domain_lapsed: { '': { domain: 'northwind.example' } },
  staff_mail_server_failing: {
    '': {
      host: 'smtp.northwind.example',
      since: '2026-11-24T08:00:00.000Z',
      error: 'smtp.northwind.example on port 587 refused the connection.',
    },
  },
  staff_webhook_failing: {
    warning: {
      url: 'https://orders.example.com/hooks/tandem',
      since: '2026-11-23T08:00:00.000Z',
      last_error: 'Status 503',
      disabled: null,
    },
    disabled: { url: 'https://orders.example.com/hooks/tandem', since: null, last_error: null, disabled: 'gone' },
  },
  staff_rule_failing: {
    disabled: {
      problem: 'disabled',
      rule: { id: 'r', name: 'Refunds to Ada' },
      disabled_reason: { code: 'member_inactive', detail: 'Ada Lovelace' },
      ticket: null,
    },
    paused: {
      problem: 'ticket_paused',
      rule: { id: 'r', name: 'Refunds to Ada' },
      disabled_reason: null,
      ticket: { id: 't', ticket_number: 'NOR-0042' },
    },
  },
  staff_export_ready: { '': { days: 7 } },
  staff_report: { '': { ...aReport(), unsubscribe_token: 'k1.a-b_c.d' } },
  staff_digest: {
    '': {
      items: [
        { ...staff, kind: 'assigned', event_id: '1' },
        { ...staff, kind: 'customer_replied', actor_name: 'Jonas Weber', event_id: '2' },
        { ...staff, ticket_id: 'b', ticket_number: 'NOR-0037', subject: 'Invoice for October', kind: 'mention', event_id: '3' },
      ],
      more: 4,
    },
  },
};

const branding = { organization_id: '01980000-0000-7000-8000-000000000001', ...brandingDefaults } as unknown as Branding;

/** An organization with the default colors, in the language of the email. */
export const sampleContext = (language: Language = 'en', changes: Partial<Branding> = {}): RenderContext => ({
  public_url: 'https://tandem.example/',
  is_single_organization: false,
  organization: {
    name: 'Northwind Coffee',
    subdomain: 'northwind',
    support: 'support@northwind.mail.example',
    branding: { ...branding, ...changes },
  },
  to_address: 'jonas@example.com',
  thread_subject: null,
  texts: translator('email', language),
  open: (_purpose, sealed) => sealed,
});
