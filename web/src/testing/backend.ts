import type {
  Activity,
  Branding,
  Comment,
  CustomField,
  Draft,
  listTicketEmails,
  ListPreferences,
  Macro,
  Member,
  Notification,
  NotificationPreferences,
  Organization,
  OriginalMail,
  OutputOf,
  readTicketTask,
  Session,
  Survey,
  Ticket,
  TaskChoice,
  TicketTask,
  View,
} from '@tandem/contracts';
import { sessionRules } from '@tandem/contracts/values';

let counter = 0;
/** A new id in UUID format. */
export const anId = (): string => `01980000-0000-7000-8000-${String((counter += 1)).padStart(12, '0')}`;

const at = '2026-11-20T10:05:00.000Z';

export const organization: Organization = {
  id: anId(),
  name: 'Northwind Coffee',
  slug: 'northwind-coffee',
  subdomain: 'northwindcoffee',
  ticket_prefix: 'NC',
  require_mfa_for_admins: false,
  time_zone: 'Europe/Berlin',
  business_hours: null,
  holidays: [],
  auto_assign: false,
  default_priority: 'medium',
  customer_follow_up: 'locked',
  instant_lookup: false,
  languages: { default: 'en', offered: ['en'] },
  categories: [],
  trial_ends_at: at,
  plan: null,
  demo_ends_at: null,
  deletion_at: null,
  created_at: at,
};

export const branding: Branding = {
  organization_id: organization.id,
  primary_color: '#3B82F6',
  secondary_color: '#8B5CF6',
  logo_url: null,
  favicon_url: null,
  custom_css: '',
  hide_powered_by: false,
  custom_domain: null,
  custom_domain_verified: false,
  custom_domain_record: null,
  custom_domain_missing_since: null,
  email_template_header: '',
  email_template_footer: '',
  email_templates: {},
  updated_at: null,
};

export const aMember = (overrides: Partial<Member> = {}): Member => ({
  user_id: anId(),
  organization_id: organization.id,
  email: 'ada@northwind.example',
  first_name: 'Ada',
  last_name: 'Okafor',
  role: 'admin',
  is_active: true,
  mfa_enabled: false,
  created_at: at,
  ...overrides,
});

export const aTicket = (overrides: Partial<Ticket> = {}): Ticket => ({
  id: anId(),
  organization_id: organization.id,
  ticket_number: 'NC-0001',
  external_id: null,
  subject: 'Wrong grind',
  description: 'All twelve bags came ground.',
  status: 'open',
  priority: 'medium',
  category: null,
  tags: [],
  customer_name: 'Jonas Weber',
  customer_email: 'jonas@example.com',
  assigned_to: null,
  assignee: null,
  comment_count: 0,
  last_comment_at: null,
  customer_replied_last: false,
  public_reply_count: 0,
  reopen_count: 0,
  task: null,
  clickup_task_id: null,
  task_finished_at: null,
  task_outcome: 'finished',
  created_at: at,
  updated_at: at,
  resolved_at: null,
  first_response_at: null,
  response_due_at: null,
  resolution_due_at: null,
  next_due_at: null,
  sla_paused_since: null,
  sla_breached_at: null,
  escalated_at: null,
  first_response_time_hours: null,
  resolution_time_hours: null,
  snoozed_at: null,
  snoozed_until: null,
  merged_into_id: null,
  cc: [],
  watchers: [],
  channel: null,
  imported_at: null,
  anonymized_at: null,
  follow_up_of_id: null,
  customer_verified: false,
  language: null,
  custom_fields: {},
  version: 1,
  ...overrides,
});

export const aCustomField = (overrides: Partial<CustomField> = {}): CustomField => ({
  id: anId(),
  key: 'order_number',
  type: 'text',
  label: 'Order number',
  hint: null,
  options: [],
  categories: [],
  form: 'hidden',
  shown_to_customers: false,
  set_by_widget: false,
  required_to_resolve: false,
  translations: {},
  position: 1,
  deleted_at: null,
  updated_at: at,
  ...overrides,
});

export const aComment = (ticket: Ticket, overrides: Partial<Comment> = {}): Comment => ({
  id: anId(),
  ticket_id: ticket.id,
  content: 'We are looking into it.',
  is_internal: false,
  is_from_customer: false,
  user_id: null,
  customer_email: null,
  author: { first_name: 'Marek', last_name: 'Lindqvist' },
  token: null,
  rule: null,
  tool_author: null,
  imported_author: null,
  mentions: [],
  attachments: [],
  has_original: false,
  email_proof: null,
  merged_from_id: null,
  created_at: at,
  ...overrides,
});

export const aNotice = (overrides: Partial<Notification> = {}): Notification => ({
  id: anId(),
  kind: 'assigned',
  ticket_id: anId(),
  ticket_number: 'NC-0042',
  subject: 'Wrong grind',
  actor_name: 'Grace Hopper',
  created_at: new Date(Date.now() - 5 * 60_000).toISOString(),
  read_at: null,
  ...overrides,
});

export const allNotificationsOn = (): NotificationPreferences => ({
  assigned: { in_app: true, mail: true },
  mention: { in_app: true, mail: true },
  customer_replied: { in_app: true, mail: true },
  sla: { in_app: true, mail: true },
  snooze: { in_app: true, mail: true },
  delivery_failed: { in_app: true, mail: true },
  task_sync: { in_app: true, mail: true },
  custom_domain: { in_app: true, mail: true },
  webhooks: { in_app: true, mail: true },
  rules: { in_app: true, mail: true },
  exports: { in_app: true, mail: true },
});

export const anActivity = (ticket: Ticket, overrides: Partial<Activity> = {}): Activity => ({
  id: anId(),
  ticket_id: ticket.id,
  kind: 'changed',
  actor_type: 'user',
  user_id: null,
  author: { first_name: 'Marek', last_name: 'Lindqvist' },
  token: null,
  rule: null,
  changes: {},
  created_at: at,
  ...overrides,
});

export const aMacro = (overrides: Partial<Macro> = {}): Macro => ({
  id: anId(),
  name: 'On its way',
  content: 'Hello {{customer.name}}, it is on its way.',
  translations: {},
  is_internal: false,
  changes: {},
  is_shared: false,
  owner_id: anId(),
  updated_at: at,
  ...overrides,
});

export const aView = (overrides: Partial<View> = {}): View => ({
  id: anId(),
  name: 'Urgent ones',
  filter: { priority: ['urgent'] },
  is_shared: false,
  owner_id: backend.me.user_id,
  created_at: at,
  ...overrides,
});

export const aSession = (member: Member | null, profile: Partial<Session['profile']> = {}): Session => ({
  session_id: anId(),
  profile: {
    user_id: member?.user_id ?? anId(),
    email: member?.email ?? 'new@example.com',
    first_name: member?.first_name ?? null,
    last_name: member?.last_name ?? null,
    signature: null,
    organization_id: member?.organization_id ?? null,
    role: member?.role ?? null,
    ...profile,
  },
  organization: member ? organization : null,
  mfa_enrolment_required: false,
  idle_expires_at: new Date(Date.now() + sessionRules.idleMinutes * 60_000).toISOString(),
  absolute_expires_at: new Date(Date.now() + sessionRules.absoluteHours * 3_600_000).toISOString(),
});

/** The fake server's state: tests arrange it, and the handlers in `server.ts` read and write it. */
class FakeBackend {
  me: Member = aMember();
  members: Member[] = [];
  session: Session | undefined;
  tickets: Ticket[] = [];
  /** In their order, then the deleted ones. */
  customFields: CustomField[] = [];
  views: View[] = [];
  listPreferences: ListPreferences | null = null;
  comments: Comment[] = [];
  /** The user's drafts by ticket. */
  drafts = new Map<string, Draft>();
  /** The tickets that the user has not read. */
  unread = new Set<string>();
  activities: Activity[] = [];
  emails: OutputOf<typeof listTicketEmails> = { emails: [], bounced: [] };
  survey: Survey | null = null;
  original: OriginalMail | null = null;
  macros: Macro[] = [];
  /** Lists that tickets can be linked to, and the linked tasks by ticket. */
  taskLists: OutputOf<typeof readTicketTask>['integrations'] = [];
  tasks = new Map<string, TicketTask>();
  /** Results of a task search. */
  tasksFound: TaskChoice[] = [];
  stats = { total: 0, open: 0, resolved: 0, unassigned: 0 };
  /** Notifications of `me`, latest first, and the notification preferences. */
  notices: Notification[] = [];
  preferences = allNotificationsOn();
  /** Every request that reached the server: `GET /tickets?status=open`. */
  calls: string[] = [];

  reset(): void {
    this.me = aMember();
    this.members = [this.me, aMember({ email: 'marek@northwind.example', first_name: 'Marek', last_name: 'Lindqvist', role: 'manager' })];
    this.session = undefined;
    this.tickets = [];
    this.customFields = [];
    this.views = [];
    this.listPreferences = null;
    this.comments = [];
    this.drafts.clear();
    this.unread.clear();
    this.activities = [];
    this.emails = { emails: [], bounced: [] };
    this.survey = null;
    this.original = null;
    this.macros = [];
    this.taskLists = [];
    this.tasks.clear();
    this.tasksFound = [];
    this.stats = { total: 0, open: 0, resolved: 0, unassigned: 0 };
    this.notices = [];
    this.preferences = allNotificationsOn();
    this.calls = [];
    document.cookie = 'tandem_csrf=; max-age=0';
  }
  signIn(session = aSession(this.me)): void {
    this.session = session;
    document.cookie = 'tandem_csrf=the-token';
  }
  ticket(id: string): Ticket | undefined {
    return this.tickets.find((ticket) => ticket.id === id);
  }
}
export const backend = new FakeBackend();
