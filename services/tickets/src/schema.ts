import type {
  ActingToken,
  Activity,
  Article,
  ArticleCategory,
  ArticleRating,
  ArticleVersion,
  Attachment,
  Comment,
  CustomField,
  Erasure,
  Export,
  ExportPurpose,
  Import,
  ImportFile,
  ImportProblem,
  InboundMail,
  ListPreferences,
  Macro,
  Mailbox,
  Organization,
  OriginalMail,
  RecordKind,
  RetentionPolicy,
  Role,
  Rule,
  RuleRun,
  SlaPolicy,
  Survey,
  Ticket,
  TicketPriority,
  TicketStatus,
  View,
} from '@tandem/contracts';
import type { ListDensity } from '@tandem/contracts/values';
import type { Tx } from '@tandem/db';
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { ArchivePiece, PartService } from './data-export/export';

/** Read as the value; written as JSON text, because the driver would send a list as a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>;

/** A ticket as stored: the contract's fields except those joined from other rows. */
export interface TicketRow extends Omit<Ticket, 'assignee'> {
  description_preview: GeneratedAlways<string | null>;
  priority_rank: GeneratedAlways<number>;
  is_one_touch: GeneratedAlways<boolean>;
  /** The number of the transaction that last changed it. */
  changed_in: Generated<number>;
  /** Sequence of the event that last linked or unlinked its task. */
  task_sequence: Generated<number>;
}

export interface RetentionPolicyRow extends Omit<RetentionPolicy, 'updated_at'> {
  organization_id: string;
  next_run_at: string | null;
  updated_at: string;
}

export interface ErasureRow extends Pick<Erasure, 'id' | 'state' | 'starts_at' | 'requested_by' | 'created_at' | 'finished_at'> {
  organization_id: string;
  sealed_email: string | null;
  email_hash: string | null;
  ticket_count: Generated<number>;
  is_requested: Generated<boolean>;
  answers: ColumnType<Partial<Erasure['answers']>, string | undefined, string>;
  remains: Generated<Erasure['remains']>;
}

export type CommentRow = Omit<Comment, 'author' | 'attachments'> & { organization_id: string };

/** `sequence` is that of the event that wrote the row. */
export interface OrganizationRow extends Pick<
  Organization,
  'name' | 'subdomain' | 'ticket_prefix' | 'time_zone' | 'auto_assign' | 'default_priority' | 'customer_follow_up' | 'instant_lookup'
> {
  organization_id: string;
  is_demo: Generated<boolean>;
  default_language: Generated<Organization['languages']['default']>;
  /** Changes with each change to the active rules; 0: there are none. */
  rules_version: Generated<number>;
  business_hours: ColumnType<Organization['business_hours'], string | null, string | null>;
  holidays: Json<Organization['holidays']>;
  sequence: number;
}

export interface MemberRow {
  organization_id: string;
  user_id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  role: Role;
  is_active: boolean;
  /** Older tickets that the member has not opened count as read. */
  unread_since: Generated<string>;
  sequence: number;
}

export interface TicketCounterRow {
  organization_id: string;
  prefix: string;
  last_number: Generated<number>;
  /** Numbers up to `last_number` that no ticket has. */
  unused_numbers: Generated<number>;
}

/** A period in which a ticket was neither resolved nor closed; `resolved_at` is `infinity` until it ends. */
export interface OpenPeriodRow {
  organization_id: string;
  ticket_id: string;
  opened_at: string;
  is_reopened: Generated<boolean>;
  resolved_at: Generated<string>;
}

/** Maintained by a trigger, like `ticket_texts`. */
export interface TicketTagRow {
  organization_id: string;
  tag: string;
  status: string;
  created_at: string;
  ticket_id: string;
}

/** The text that searches match; read only by the search function. */
export interface TicketTextRow {
  organization_id: string;
  created_at: string;
  ticket_id: string;
  source_id: string;
  search_text: string | null;
  words: string;
}

export type ViewRow = Omit<View, 'filter'> & { organization_id: string; filter: Json<View['filter']> };

/** How the list looks for a user. */
export type ListPreferencesRow = Omit<ListPreferences, 'density'> & {
  organization_id: string;
  user_id: string;
  density: Generated<ListDensity>;
};

export type ActivityRow = Omit<Activity, 'author' | 'changes'> & { organization_id: string; changes: Json<Activity['changes']> };

export interface DraftRow {
  organization_id: string;
  user_id: string;
  ticket_id: string;
  content: string;
  is_internal: boolean;
  updated_at: string;
  token: ActingToken | null;
}

export interface TicketReadRow {
  organization_id: string;
  user_id: string;
  ticket_id: string;
  /** The time of the newest comment that the user has seen. */
  read_until: string;
}

/** When a snoozed ticket wakes. */
export interface TicketWakeTimeRow {
  organization_id: string;
  ticket_id: string;
  wake_at: string;
}

export type MacroRow = Omit<Macro, 'changes' | 'translations'> & {
  organization_id: string;
  changes: Json<Macro['changes']>;
  translations: Json<Macro['translations']>;
};

export interface SlaClocksRow {
  organization_id: string;
  ticket_id: string;
  policy_id: string;
  policy_name: string;
  response_time_hours: number;
  resolution_time_hours: number;
  paused_ms: Generated<number>;
  response_warned_at: string | null;
  response_breached_at: string | null;
  resolution_warned_at: string | null;
  resolution_breached_at: string | null;
  stopped_at: string | null;
  escalates_at: string | null;
  check_at: string | null;
}

/** Widget settings; `sequence` is that of the event that wrote the row. */
export interface WidgetRow {
  organization_id: string;
  identity_required: boolean;
  sealed_secret: string | null;
  sequence: number;
}

export type SurveyRow = Survey & { organization_id: string };

/** When the survey of a ticket was first sent. */
export interface SentSurveyRow {
  organization_id: string;
  ticket_id: string;
  sent_at: string;
}

export interface MailLabelRow {
  organization_id: string;
  label: string;
  last_used_at: string;
}

interface BounceDomainRow {
  organization_id: string;
  domain: string;
  created_at: Generated<string>;
}

export interface InboundMailRow extends InboundMail {
  organization_id: string;
  envelope_from: string;
  client_address: string | null;
  client_name: string | null;
  sender_mailbox: string | null;
  message_id: string | null;
  content_hash: string | null;
  digest: string;
  comment_id: string | null;
}

export interface InboundMailPieceRow {
  organization_id: string;
  inbound_id: string;
  position: number;
  bytes: Buffer;
}

export interface MailOriginalRow extends Omit<OriginalMail, 'from'> {
  organization_id: string;
  ticket_id: string;
  comment_id: string | null;
  from_address: string | null;
  created_at: Generated<string>;
}

export interface MailboxRow extends Mailbox {
  organization_id: string;
  id: string;
  sealed_password: string;
  claimed_until: string | null;
  updated_at: Generated<string>;
}

export interface AttachmentRow extends Omit<Attachment, 'content_type'> {
  organization_id: string;
  content_type: string | null;
  user_id: string | null;
  /** Sent by a customer; customers have no account, so any of them who knows the id may use it. */
  from_customer: boolean;
  ticket_id: string | null;
  comment_id: string | null;
  upload_started_at: string | null;
}

export interface MemberLoadRow {
  organization_id: string;
  user_id: string;
  open_tickets: Generated<number>;
  last_assigned_at: string | null;
}

/** A task comment that has been copied here as a note. */
export interface TaskCommentRow {
  organization_id: string;
  ticket_id: string;
  external_id: string;
}

/** A running export of all tickets; `last_id` is the last one exported. */
export interface TicketExportRow {
  organization_id: string;
  purpose: ExportPurpose;
  request_id: string;
  last_id: string | null;
  exported_count: Generated<number>;
  created_at: Generated<string>;
}

export interface PendingUnassignmentRow {
  organization_id: string;
  user_id: string;
  created_at: Generated<string>;
}

/** Kysely's view of this service's database; schema.int.spec.ts compares it with the migrated one. */
/** The data that a merge moved and overwrote, with which it can be undone. */
export interface MergeRestore {
  source: Pick<Ticket, 'status' | 'task_finished_at'> & { public_reply_count: number };
  /** Merges from before `cc` lack it. */
  target: Pick<Ticket, 'tags' | 'watchers'> & Partial<Pick<Ticket, 'cc'>>;
  comment_ids: string[];
  /** The comment that the description became; null without a description. */
  description_comment_id: string | null;
  /** With the comment that each file belonged to. */
  attachments: { id: string; comment_id: string | null }[];
  /** Whether the original of the email that opened the ticket was moved. */
  has_original: boolean;
  /** The authors of the drafts. */
  draft_user_ids: string[];
}
/** An article as stored, with the text of its draft. Its published text is in `article_versions`. */
export interface ArticleRow extends Pick<
  Article,
  | 'id'
  | 'number'
  | 'title'
  | 'summary'
  | 'body'
  | 'language'
  | 'category_id'
  | 'visibility'
  | 'ticket_id'
  | 'updated_by'
  | 'created_at'
  | 'updated_at'
  | 'deleted_at'
  | 'version'
> {
  organization_id: string;
  /** The version that readers see; null: not published. */
  published_version: number | null;
  first_published_at: string | null;
}

export interface ArticleVersionRow extends ArticleVersion, Pick<Article, 'summary' | 'body' | 'language'> {
  organization_id: string;
  article_id: string;
}

/** The published text of an article for the search; a trigger maintains it. */
export interface ArticleTextRow {
  organization_id: string;
  article_id: string;
  language: Article['language'];
  is_public: boolean;
  /** Folded. */
  title: string;
  title_words: string;
  words: string;
}

export interface ArticlePictureRow extends Attachment {
  organization_id: string;
  article_id: string;
}

/** Totals until the end of the day. */
export interface ArticleUseRow {
  organization_id: string;
  article_id: string;
  /** `YYYY-MM-DD` in the organization's time zone. */
  day: string;
  views: Generated<number>;
  suggestions_opened: Generated<number>;
  solved: Generated<number>;
}

export interface ArticleRatingRow extends ArticleRating {
  organization_id: string;
  article_id: string;
  /** A random value that the reader's browser keeps. */
  reader: string;
  day: string;
}

export interface HelpDayRow {
  organization_id: string;
  day: string;
  views: Generated<number>;
  suggestions_opened: Generated<number>;
  solved: Generated<number>;
  helpful: Generated<number>;
  not_helpful: Generated<number>;
  searches: Generated<number>;
  searches_without_result: Generated<number>;
}

export interface HelpSearchRow {
  organization_id: string;
  day: string;
  /** Folded. */
  query: string;
  times: number;
  without_result: number;
}

export interface CustomFieldRow extends Omit<CustomField, 'options' | 'translations'> {
  organization_id: string;
  options: Json<CustomField['options']>;
  translations: Json<CustomField['translations']>;
}
/** A value of `tickets.custom_fields`; written by a trigger. */
export interface TicketFieldValueRow {
  organization_id: string;
  key: string;
  value: string;
  number: string | null;
  status: Ticket['status'];
  created_at: string;
  ticket_id: string;
}
/** A rule without the figures of its runs. */
export interface RuleRow extends Omit<
  Rule,
  'time' | 'condition' | 'actions' | 'disabled_reason' | 'run_count' | 'last_run_at' | 'last_error'
> {
  organization_id: string;
  time: ColumnType<Rule['time'], string | null, string | null>;
  condition: Json<unknown>;
  actions: Json<unknown>;
  disabled_reason: ColumnType<Rule['disabled_reason'], string | null, string | null>;
}
export interface RuleRunRow extends Omit<RuleRun, 'ticket' | 'changes'> {
  organization_id: string;
  ticket_id: string;
  changes: Json<RuleRun['changes']>;
  action_count: number;
}
/** A ticket on which a time rule, or a rule that runs once per ticket, has run. */
export interface RuleActRow {
  organization_id: string;
  ticket_id: string;
  rule_id: string;
  acted_for: string;
}
/** When the time rules of a ticket are checked next. */
export interface RuleTimerRow {
  organization_id: string;
  ticket_id: string;
  check_at: string;
}
/** A ticket that rules changed too often. */
export interface RulePauseRow {
  organization_id: string;
  ticket_id: string;
  paused_until: string;
  created_at: string;
}
/** An organization whose existing tickets are being scheduled for new and changed time rules. */
export interface RuleScanRow {
  organization_id: string;
  last_id: string | null;
  created_at: string;
}
/** A ticket whose customer must get no automatic reply. */
export interface QuietTicketRow {
  organization_id: string;
  ticket_id: string;
}
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

/** What an admin has chosen for people and values of the source. */
export interface ImportChoices {
  /** A member, or null to keep only the name, by the key of a teammate. */
  teammates: Record<string, string | null>;
  statuses: Record<string, TicketStatus>;
  priorities: Record<string, TicketPriority>;
}

/** Where the job that creates or deletes records continues. */
export interface ImportPosition {
  step: string;
  /** The last record of this step that is done. */
  after: { created_at: string; position: number } | null;
  /** The number of the next ticket that does not keep its own. */
  next_number: number;
}

type ImportJson = 'options' | 'teammates' | 'statuses' | 'priorities' | 'counts' | 'problems';
export interface ImportRow extends Omit<Import, ImportJson | 'files' | 'progress'> {
  organization_id: string;
  sealed_token: string | null;
  options: Json<Import['options']>;
  choices: Json<ImportChoices>;
  teammates: Json<Import['teammates']>;
  statuses: Json<Import['statuses']>;
  priorities: Json<Import['priorities']>;
  counts: Json<Import['counts']>;
  problems: Json<Import['problems']>;
  progress: NullableJson<NonNullable<Import['progress']>>;
  /** The job of the current state. */
  job_id: string | null;
  /** The run of the job that reads the source. One that was replaced stops. */
  check_id: string | null;
  position: NullableJson<ImportPosition>;
  has_files: Generated<boolean>;
  has_records: Generated<boolean>;
}

export interface ImportFileRow extends Omit<ImportFile, 'columns' | 'sample' | 'mapping'> {
  organization_id: string;
  import_id: string;
  upload_started_at: string | null;
  columns: NullableJson<NonNullable<ImportFile['columns']>>;
  sample: NullableJson<NonNullable<ImportFile['sample']>>;
  mapping: NullableJson<NonNullable<ImportFile['mapping']>>;
  created_at: string;
}

/** A record of a source, and what became of it. */
export interface ImportRecordRow {
  organization_id: string;
  import_id: string;
  kind: RecordKind;
  key: string;
  parent: string | null;
  position: number;
  created_at: string;
  number: number | null;
  data: Json<Record<string, unknown>>;
  place: Json<{ file: string; line: number | null }>;
  /** `existing`: created by another import. `undone`, `kept`: by an undo. Null: not created yet. */
  state: 'created' | 'existing' | 'failed' | 'undone' | 'kept' | null;
  record_id: string | null;
  fingerprint: string | null;
}

export interface ImportProblemRow extends ImportProblem {
  organization_id: string;
  import_id: string;
  id: string;
  position: number;
}

/** A live demo whose history has not been written completely. */
interface DemoHistoryRow {
  organization_id: string;
  member_ids: string[];
  started_at: string;
}

/** An export of all data of the organization. */
export interface ExportRow {
  organization_id: string;
  id: string;
  state: Generated<Export['state']>;
  has_files: boolean;
  is_of_customer: Generated<boolean>;
  sealed_email: string | null;
  missing_parts: string[];
  run_id: Generated<string | null>;
  lines_done: Generated<number>;
  lines_total: Generated<number | null>;
  pieces: ColumnType<ArchivePiece[], string | undefined, string>;
  created_by: string | null;
  created_at: string;
  finished_at: Generated<string | null>;
  expires_at: Generated<string | null>;
  is_deleted: Generated<boolean>;
}

interface MergeRow {
  organization_id: string;
  source_id: string;
  target_id: string;
  source_version: number;
  target_version: number;
  restore: ColumnType<MergeRestore, string, string>;
  created_at: string;
}

/** Lines of an export that another service has sent. */
export interface StoredPart {
  organization_id: string;
  export_id: string;
  service: PartService;
  index: number;
  file: string | null;
  lines: string;
  is_last: boolean;
}

export interface TicketsSchema {
  tickets: TicketRow;
  comments: CommentRow;
  organizations: OrganizationRow;
  members: MemberRow;
  ticket_counters: TicketCounterRow;
  open_periods: OpenPeriodRow;
  ticket_tags: TicketTagRow;
  ticket_texts: TicketTextRow;
  views: ViewRow;
  list_preferences: ListPreferencesRow;
  activities: ActivityRow;
  drafts: DraftRow;
  ticket_reads: TicketReadRow;
  ticket_wake_times: TicketWakeTimeRow;
  macros: MacroRow;
  sla_policies: SlaPolicy;
  sla_clocks: SlaClocksRow;
  attachments: AttachmentRow;
  member_loads: MemberLoadRow;
  pending_unassignments: PendingUnassignmentRow;
  task_comments: TaskCommentRow;
  ticket_exports: TicketExportRow;
  exports: ExportRow;
  export_parts: StoredPart;
  widgets: WidgetRow;
  surveys: SurveyRow;
  sent_surveys: SentSurveyRow;
  mail_labels: MailLabelRow;
  bounce_domains: BounceDomainRow;
  inbound_mails: InboundMailRow;
  inbound_mail_pieces: InboundMailPieceRow;
  mail_originals: MailOriginalRow;
  mailboxes: MailboxRow;
  merges: MergeRow;
  demo_histories: DemoHistoryRow;
  article_counters: { organization_id: string; last_number: number };
  article_categories: Omit<ArticleCategory, 'article_count'> & { organization_id: string };
  articles: ArticleRow;
  article_versions: ArticleVersionRow;
  /** A trigger maintains it. */
  article_draft_texts: { organization_id: string; article_id: string; title: string; words: string };
  article_texts: ArticleTextRow;
  article_pictures: ArticlePictureRow;
  article_uses: ArticleUseRow;
  article_ratings: ArticleRatingRow;
  help_searches: HelpSearchRow;
  help_days: HelpDayRow;
  custom_fields: CustomFieldRow;
  ticket_field_values: TicketFieldValueRow;
  rules: RuleRow;
  rule_runs: RuleRunRow;
  rule_acts: RuleActRow;
  rule_timers: RuleTimerRow;
  rule_pauses: RulePauseRow;
  rule_scans: RuleScanRow;
  quiet_tickets: QuietTicketRow;
  imports: ImportRow;
  import_files: ImportFileRow;
  import_records: ImportRecordRow;
  import_problems: ImportProblemRow;
  erasures: ErasureRow;
  retention_policies: RetentionPolicyRow;
}
export type TicketsTx = Tx<TicketsSchema>;
