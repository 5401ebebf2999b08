// Written by `npm run docs` from the operations. Do not edit.

/** The rule that did something, with its name at that time. */
export interface ActingRule {
  id: string;
  name: string;
}

/** The API token that did something, with its name at that time; `mcp`: an assistant did it. */
export interface ActingToken {
  id: string;
  name: string;
  via: "api" | "mcp";
}

/** One entry in a ticket's history. `changed` has the old and new value of each field, except the description, which is only named. `merged` is on the ticket into which a duplicate was merged (`changes.merged.to`: the duplicate's `id` and `ticket_number`); on the duplicate, `changed` names the other ticket (`changes.merged_into.to`, in the same form). `reply_drafted` has the id of the member for whom an API token drafted a reply (`changes.drafted_for.to`). SLA warnings and breaches name the timer (`changes.clock`). `snoozed` has the end of the snooze (`changes.snoozed_until`, null: until the customer replies). `rules_paused` has the end of the pause (`changes.rules_paused_until`). `imported` names the ticket in the source (`changes.imported_from.to`: its `source`, `number` and `url`; the last two can be null). Comments are in the conversation, watchers on the ticket. */
export interface Activity {
  id: string;
  ticket_id: string;
  kind: "created" | "changed" | "merged" | "reply_drafted" | "sla_warning" | "sla_breached" | "escalated" | "snoozed" | "woken" | "rules_paused" | "imported";
  /** The actor's type, as in an event's envelope. */
  actor_type: "user" | "token" | "customer" | "task-tool" | "system";
  user_id: string | null;
  author: {
    first_name: string | null;
    last_name: string | null;
  } | null;
  /** Set if `actor_type` is `token`. */
  token: ActingToken | null;
  /** Set if a rule made the change; `actor_type` is `system` then. */
  rule: ActingRule | null;
  changes: Changes;
  created_at: string;
}

export interface AddComment {
  content: string;
  is_internal?: boolean;
  /** Each must be an active member; they become watchers. */
  mentions?: string[];
  attachment_ids?: string[];
  /** The last comment that the author saw, null for none. If there are newer ones by others, the comment is rejected with `comment.outdated`. Omitted: no check. */
  last_seen_comment_id?: string | null;
  changes?: ChangesWithComment;
}

export interface Analytics {
  period: AnalyticsPeriod;
  time_zone: string;
  /** Whether a combination of filters is not stored per day, so that the figures were computed from the tickets. */
  computed_live: boolean;
  /** Whether the figures are being computed again, after a change to the time zone or a rebuild; they may be incomplete. */
  is_rebuilding: boolean;
  /** Whether the organization has any ticket at all. */
  has_tickets: boolean;
  figures: AnalyticsFigures;
  /** The preceding period of the same length. */
  previous: {
    period: AnalyticsPeriod;
    figures: AnalyticsFigures;
  };
  per_day: AnalyticsDay[];
  /** Some of the figures for the tickets created on each day of `per_day`, to four digits; null on days without entries. */
  figures_per_day: {
    total_tickets: (number | null)[];
    open_tickets: (number | null)[];
    median_first_response_hours: (number | null)[];
    median_resolution_hours: (number | null)[];
    avg_satisfaction: (number | null)[];
    sla_breaches: (number | null)[];
    sla_compliance: (number | null)[];
    escalation_rate: (number | null)[];
    reopen_rate: (number | null)[];
    one_touch_rate: (number | null)[];
  };
  first_response_histogram: HistogramBar[];
  resolution_histogram: HistogramBar[];
  by_priority: {
    key: TicketPriority;
    count: number;
    breaches: number;
  }[];
  by_status: {
    key: TicketStatus;
    count: number;
  }[];
  /** `null`: tickets older than the field. */
  by_channel: {
    key: "staff" | "portal" | "email" | "widget" | "api" | null;
    count: number;
  }[];
  by_category: Distribution;
  by_tag: Distribution;
  team: TeamMember[];
  /** Created by weekday (Monday first) and hour, in the organization's time zone. */
  arrivals: number[][];
  /** The five newest ratings with a text. */
  feedback: {
    ticket_id: string;
    ticket_number: string;
    rating: number;
    /** The five newest ratings with a text. */
    feedback: string;
    created_at: string;
  }[];
  /** Changes with every figure; the entity tag is derived from it. */
  version: string;
}

/** The tickets created in a range by the value of a custom field of the type choice, choices or yes_no. */
export interface AnalyticsByField {
  key: string;
  period: AnalyticsPeriod;
  total_tickets: number;
  /** Tickets with each value, the most frequent first. A ticket with several choices counts once for each of them. `value` is null for tickets without a value, true or false for yes_no, and may be an option that was removed from the field. */
  rows: {
    value: string | boolean | null;
    count: number;
  }[];
  /** Changes with every figure; the entity tag is derived from it. */
  version: string;
}

/** Events by the local day on which they happened, regardless of when the tickets were created. A ticket counts once a day for each. */
export interface AnalyticsDay {
  day: string;
  created: number;
  resolved: number;
  reopened: number;
  /** Tickets neither resolved nor closed at the end of the day, or now if the day has not ended. */
  backlog: number;
  breaches: number;
}

/** The figures of the tickets created in a range (`metricDefinitions` defines how each is counted). Durations are in hours of working time. */
export interface AnalyticsFigures {
  total_tickets: number;
  open_tickets: number;
  /** Tickets with a first response. */
  responded_tickets: number;
  avg_first_response_hours: number | null;
  median_first_response_hours: number | null;
  p90_first_response_hours: number | null;
  /** Tickets that are resolved, that is, with a resolution time. */
  resolved_tickets: number;
  avg_resolution_hours: number | null;
  median_resolution_hours: number | null;
  p90_resolution_hours: number | null;
  surveys_sent: number;
  ratings: number;
  avg_satisfaction: number | null;
  /** The number of ratings of 1, 2, 3, 4 and 5. */
  satisfaction_distribution: number[];
  survey_response_rate: number | null;
  sla_breaches: number;
  sla_compliance: number | null;
  escalated_tickets: number;
  escalation_rate: number | null;
  reopened_tickets: number;
  reopen_rate: number | null;
  one_touch_tickets: number;
  one_touch_rate: number | null;
}

/** The days that the figures cover. */
export interface AnalyticsPeriod {
  from: string;
  to: string;
  /** The start of the first day, and the end of the last (exclusive), for the ticket list's `created_from` and `created_to`. */
  from_time: string;
  to_time: string;
}

export interface AnnounceAttachment {
  file_name: string;
  size: number;
}

export interface Article extends ArticleSummary {
  /** The draft: what the next version will contain. */
  body: string;
  /** The latest version, published or not any more; null if there was none. */
  latest_version: number | null;
  /** The ticket that it was drafted from. */
  ticket_id: string | null;
  pictures: Attachment[];
  /** Since it was first published. */
  views: number;
  helpful: number;
  not_helpful: number;
  created_at: string;
  /** Increases with each change: for `If-Match`, and for `publish`. */
  version: number;
}

/** A group of articles on the help pages. Categories have no categories of their own. */
export interface ArticleCategory {
  id: string;
  /** Part of its address; never changes. Articles and categories of an organization are numbered together. */
  number: number;
  name: string;
  description: string | null;
  /** From 1, without gaps. */
  position: number;
  /** Articles in it, drafts and internal ones included. */
  article_count: number;
  updated_at: string;
}

/** What a reader answered to 'Did this help?'. */
export interface ArticleRating {
  helpful: boolean;
  remark: string | null;
  /** The version that was rated. */
  version: number;
  rated_at: string;
}

/** An article without its text, for lists. */
export interface ArticleSummary {
  id: string;
  /** Part of its address (`articlePath`); never changes. */
  number: number;
  /** Of the draft. */
  title: string;
  summary: string | null;
  language: CustomerLanguage;
  category_id: string | null;
  visibility: "public" | "internal";
  state: "draft" | "published";
  /** Whether the draft differs from the published version. False for an article that is not published. */
  has_unpublished_changes: boolean;
  /** The published title, which addresses contain; null if it is not published. */
  published_title: string | null;
  published_at: string | null;
  updated_at: string;
  /** Null for an API token, and if the user was deleted. */
  updated_by: string | null;
  /** A deleted article can be restored for 30 days. */
  deleted_at: string | null;
}

/** What was published at a time. Publishing adds one; it never changes. */
export interface ArticleVersion {
  /** From 1. */
  number: number;
  title: string;
  published_at: string;
  published_by: string | null;
}

/** The full body of an event about an article. `data.article` is the article at the time of the event, without its text. */
export interface ArticleWebhookEvent {
  id: string;
  event: "article.published" | "article.unpublished";
  /** When it happened. */
  timestamp: string;
  organization_id: string;
  /** Counts per ticket or article, from 1: compare it, because the order of deliveries is not guaranteed. */
  sequence: number;
  version: "2026-11-23";
  actor: {
    type: "user" | "token" | "customer" | "task-tool" | "system";
    id: string | null;
    name: string | null;
  };
  data: {
    article: ArticleSummary;
  };
}

/** The assignee as shown on a ticket; a copy of identity's member that the tickets service stores. */
export interface Assignee {
  user_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
}

export interface Attachment {
  id: string;
  file_name: string;
  /** Bytes. */
  size: number;
  /** Detected from the file content, `application/octet-stream` if unknown; never the type that the client claimed. */
  content_type: string;
  created_at: string;
}

export interface BulkChange {
  ids: string[];
  changes: {
    status?: TicketStatus;
    priority?: TicketPriority;
    assigned_to?: string | null;
    add_tags?: string[];
    remove_tags?: string[];
  };
}

/** `ticket` if it was changed (or needed no change), otherwise the `code` of the problem. */
export interface BulkResult {
  id: string;
  ticket: TicketBase | null;
  code: string | null;
}

/** In any order; spans of one day must not overlap. */
export type BusinessHours = BusinessSpan[];

/** A period of business hours on one weekday, in the organization's time zone: `09:00` to `17:30`; `24:00` is the end of the day. */
export interface BusinessSpan {
  day: "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
  from: string;
  to: string;
}

/** Each address once. */
export type Cc = string[];

/** The changes, field by field. For long texts only the field is named, because the ticket has the text. */
export type Changes = Record<string, {
  from: unknown;
  to: unknown;
}>;

/** Changes that can be made together with a comment, in one step: 'send and resolve', a macro. */
export interface ChangesWithComment {
  status?: TicketStatus;
  priority?: TicketPriority;
  assigned_to?: string | null;
  tags?: string[];
  custom_fields?: CustomFieldChanges;
}

export interface Comment {
  id: string;
  ticket_id: string;
  /** Markdown if staff or the task tool wrote it; plain text if it is from the customer or came by email. */
  content: string;
  /** Internal notes are visible to the organization's staff only. */
  is_internal: boolean;
  is_from_customer: boolean;
  user_id: string | null;
  customer_email: string | null;
  author: {
    first_name: string | null;
    last_name: string | null;
  } | null;
  /** The API token that wrote it. */
  token: ActingToken | null;
  /** The rule that wrote it. */
  rule: ActingRule | null;
  /** The author in the task tool, if the comment was written there; `tool_name` is for display: ClickUp. */
  tool_author: {
    name: string;
    tool_name: string;
  } | null;
  /** The author in the help desk that it was imported from, if that is no member here. */
  imported_author: {
    name: string;
  } | null;
  /** Members mentioned in the text. */
  mentions: string[];
  attachments: Attachment[];
  /** Written by email: the removed parts (quoted text, the email's HTML) are at `GET /tickets/{id}/original`. */
  has_original: boolean;
  /** For emails: how well the sender is authenticated; null for all other comments. Never sent to customers. */
  email_proof: EmailProof | null;
  /** The ticket in which it was written, if a merge moved it here. */
  merged_from_id: string | null;
  created_at: string;
}

/** `{ all: [] }` matches every ticket, `{ any: [] }` none. Operator and value must suit the field; at most 50 conditions, 3 levels deep. */
export type Condition = FieldCondition | {
  all: Condition[];
} | {
  any: Condition[];
};

export interface CreateArticle {
  title: string;
  summary?: string | null;
  /** Markdown, as in comments. `![Alternative text](name.png)` shows a picture of the article. */
  body?: string;
  /** Default: the organization's default language. */
  language?: CustomerLanguage;
  category_id?: string | null;
  visibility?: "public" | "internal";
}

export interface CreateCustomField {
  /** The member of `custom_fields` in tickets. It never changes. */
  key: string;
  /** It never changes. */
  type: "text" | "long_text" | "number" | "date" | "yes_no" | "choice" | "choices";
  label: string;
  /** Explains the field below its input. */
  hint?: string | null;
  /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
  options?: CustomFieldOption[];
  /** The tickets that have the field, by category; empty: all tickets. */
  categories?: string[];
  /** Whether the forms for customers (portal and widget) ask for it. */
  form?: "hidden" | "optional" | "required";
  /** Whether customers see the value on the page of their ticket. */
  shown_to_customers?: boolean;
  /** Whether websites can set it with the widget (`data-field-…`), even if no form asks for it. Visitors could change such a value. */
  set_by_widget?: boolean;
  /** Whether staff must fill it in before they resolve or close a ticket. */
  required_to_resolve?: boolean;
  /** For customers who read another language than the organization's default. */
  translations?: Record<string, {
    label: string;
    /** Explains the field below its input. */
    hint?: string | null;
    /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
    options?: Record<string, string>;
  }>;
}

export interface CreateRule {
  name: string;
  /** Any of them causes the rule. */
  triggers: RuleTrigger[];
  /** Set exactly when `triggers` is `time_passed`. */
  time?: RuleTime | null;
  condition?: RuleCondition;
  /** In this order. */
  actions: RuleActionInput[];
  /** Whether the rules after it are skipped when it runs. */
  stops?: boolean;
  /** `once_per_ticket`: at most once for each ticket, ever. */
  runs?: "every_time" | "once_per_ticket";
  is_active?: boolean;
}

export interface CreateTicket {
  subject: string;
  description?: string | null;
  customer_email: string;
  customer_name?: string | null;
  category?: string | null;
  /** Default: the organization's default priority. */
  priority?: TicketPriority;
  tags?: string[];
  external_id?: string | null;
  language?: CustomerLanguage | null;
  cc?: Cc;
  attachment_ids?: string[];
  custom_fields?: CustomFieldChanges;
}

/** A field of tickets that the organization has defined. */
export interface CustomField {
  id: string;
  /** The member of `custom_fields` in tickets. It never changes. */
  key: string;
  /** It never changes. */
  type: "text" | "long_text" | "number" | "date" | "yes_no" | "choice" | "choices";
  label: string;
  /** Explains the field below its input. */
  hint: string | null;
  /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
  options: CustomFieldOption[];
  /** The tickets that have the field, by category; empty: all tickets. */
  categories: string[];
  /** Whether the forms for customers (portal and widget) ask for it. */
  form: "hidden" | "optional" | "required";
  /** Whether customers see the value on the page of their ticket. */
  shown_to_customers: boolean;
  /** Whether websites can set it with the widget (`data-field-…`), even if no form asks for it. Visitors could change such a value. */
  set_by_widget: boolean;
  /** Whether staff must fill it in before they resolve or close a ticket. */
  required_to_resolve: boolean;
  /** For customers who read another language than the organization's default. */
  translations: Record<string, {
    label: string;
    /** Explains the field below its input. */
    hint: unknown;
    /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
    options: Record<string, string>;
  }>;
  /** From 1, without gaps; 0 for a deleted field. */
  position: number;
  /** A deleted field can be restored for 30 days; then its values are deleted, too. */
  deleted_at: string | null;
  updated_at: string;
}

/** By the keys of the fields. Null removes a value; fields that are not named stay. */
export type CustomFieldChanges = Record<string, CustomFieldValue | null>;

/** `value` is stored in tickets and never changes; `label` is what people see. */
export interface CustomFieldOption {
  value: string;
  label: string;
}

/** The value of a custom field, in the form of its type: `YYYY-MM-DD` for a date, the `value` of an option for a choice. */
export type CustomFieldValue = string | number | boolean | string[];

/** A language of the customer's side. */
export type CustomerLanguage = "en" | "de" | "fr" | "es" | "pt-BR" | "it" | "nl" | "pl" | "ja" | "ar";

/** The largest keys first. `key` is null for tickets without a category. `rest` counts the tickets with a category or a tag that is not listed, as the list's `other_category` and `other_tag` do. */
export interface Distribution {
  items: {
    key: string | null;
    count: number;
  }[];
  rest: number;
}

/** A user's unsent text on one ticket: available on all of the user's devices, invisible to others. */
export interface Draft {
  content: string;
  is_internal: boolean;
  updated_at: string | null;
  /** The API token that wrote it for the user, who has not changed it since. */
  token: ActingToken | null;
}

export interface EmailProof {
  matched_by: "conversation" | "number";
  checks: SenderChecks;
}

/** One ticket of the export: its metrics and its main fields. */
export interface ExportedTicket extends TicketMetrics {
  ticket_number: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  tags: string[];
  channel: "staff" | "portal" | "email" | "widget" | "api" | null;
  /** The assignee's name, or the address without a name. */
  assignee: string | null;
  first_response_at: string | null;
  resolved_at: string | null;
}

export interface ExternalStatus {
  id: string;
  name: string;
  category: "open" | "active" | "done" | "closed";
  color: string | null;
  /** The meaning that the tool reports for a final status; absent if it reports none. */
  meaning?: "finished" | "not_planned";
}

/** Compares one field of the ticket with a value. */
export interface FieldCondition {
  field: string;
  op: "is_any_of" | "is_none_of" | "is_empty" | "is_not_empty" | "is" | "is_not" | "contains" | "does_not_contain" | "starts_with" | "ends_with" | "contains_any_of" | "contains_all_of" | "contains_none_of" | "at_least" | "at_most";
  value?: string | number | boolean | string[];
}

export interface HelpReport {
  /** One entry per day of the organization's time zone, also for days without any. */
  days: {
    day: string;
    views: number;
    suggestions_opened: number;
    solved: number;
    helpful: number;
    not_helpful: number;
    searches: number;
    /** The 50 most frequent searches without a result, in lower case. */
    searches_without_result: number;
  }[];
  /** The 50 most viewed articles of the period. */
  articles: {
    article_id: string;
    number: number;
    title: string;
    views: number;
    suggestions_opened: number;
    solved: number;
    helpful: number;
    not_helpful: number;
  }[];
  /** The 50 most frequent searches without a result, in lower case. */
  searches_without_result: {
    query: string;
    times: number;
    last_day: string;
  }[];
}

/** One bar of a histogram: durations of at least `from_hours` and less than `to_hours` (null: no upper bound). */
export interface HistogramBar {
  from_hours: number;
  to_hours: number | null;
  count: number;
}

/** A day without business hours, in the organization's time zone. */
export interface Holiday {
  date: string;
  name: string;
}

/** Without `task` a new task is created; with it, an existing one is linked by its address or id. */
export interface LinkTask {
  integration_id: string;
  task?: string;
  /** The side whose values win where they differ; omitted: both keep their values until one of them changes. */
  winner?: "ticket" | "task";
}

export interface Organization {
  id: string;
  name: string;
  slug: string;
  /** The portal's subdomain: `{subdomain}.{product domain}`. Null if there is none. */
  subdomain: string | null;
  /** The 2 to 5 letters before the counter in ticket numbers, derived from the name; changed with `PUT /ticket-prefix`. */
  ticket_prefix: string;
  /** Whether admins must use two-factor sign-in. */
  require_mfa_for_admins: boolean;
  /** IANA name; the time zone of business hours and holidays. */
  time_zone: string;
  /** When the SLA timers run; null: always. */
  business_hours: BusinessSpan[] | null;
  holidays: Holiday[];
  /** Whether new tickets go to the agent with the least open work. */
  auto_assign: boolean;
  default_priority: TicketPriority;
  /** The effect of a customer's message on a resolved or closed ticket. */
  customer_follow_up: "locked" | "reopen" | "new_ticket";
  /** Whether a matching email and ticket number open the ticket directly; otherwise links are emailed. */
  instant_lookup: boolean;
  languages: OrganizationLanguages;
  /** The categories that customers choose from; empty: they can enter any. */
  categories: TicketCategory[];
  trial_ends_at: string;
  /** Set by an operator of the installation; null: on trial, or the trial has ended. */
  plan: "starter" | "professional" | "enterprise" | null;
  /** When a demo organization is deleted; null for all others. Demo organizations send no emails. */
  demo_ends_at: string | null;
  /** When the organization is deleted, because an admin requested it; null if no deletion is requested. */
  deletion_at: string | null;
  created_at: string;
}

/** The languages of portal, widget and emails. Texts of a customer whose language is not offered are in the default language. */
export interface OrganizationLanguages {
  default: CustomerLanguage;
  offered: CustomerLanguage[];
}

export interface Pagination {
  page: number | null;
  limit: number;
  total: number;
  total_is_capped?: boolean;
  /** Null on the last page. */
  next_cursor: string | null;
  /** Only for orders that a poller follows (`sort=updated_oldest`): the end of this page, even of the last one, to continue from later. Null while there is nothing yet. */
  resume_cursor?: string | null;
}

/** A rule: when (`triggers`), if (`condition`), then (`actions`). Rules run in the order of `position`, each on the result of those before it. */
export interface Rule {
  id: string;
  /** From 1, without gaps. */
  position: number;
  name: string;
  /** Any of them causes the rule. */
  triggers: RuleTrigger[];
  /** Set exactly when `triggers` is `time_passed`. */
  time: RuleTime | null;
  /** Met by no ticket (`any` of nothing) if this release cannot read the stored one. */
  condition: RuleCondition;
  /** In this order. Empty if this release cannot read the stored ones. */
  actions: RuleAction[];
  /** Whether the rules after it are skipped when it runs. */
  stops: boolean;
  /** `once_per_ticket`: at most once for each ticket, ever. */
  runs: "every_time" | "once_per_ticket";
  is_active: boolean;
  /** Why the system turned it off; null otherwise. `detail`: the member, the host of the endpoint, or the part of the rule that is not valid. */
  disabled_reason: {
    code: "member_inactive" | "webhook_deleted" | "invalid";
    detail: string;
  } | null;
  /** Counts the changes of the rule, from 1. */
  version: number;
  /** Null if an API token changed it last. */
  updated_by: string | null;
  updated_at: string;
  /** Runs in the last 30 days, up to 10,000. */
  run_count: number;
  /** Null without a run in the last 30 days. */
  last_run_at: string | null;
  /** The last run of which a part was left out because of an error. */
  last_error: {
    code: "cut_off" | "no_assignee" | "no_automatic_reply";
    ticket_id: string;
    at: string;
  } | null;
}

/** One step of a rule. Texts can contain the variables of canned replies. */
export type RuleAction = {
  type: "set_status";
  status: TicketStatus;
} | {
  type: "set_priority";
  priority: TicketPriority;
} | {
  type: "assign";
  to: "round_robin" | (string & {}) | null;
} | {
  type: "set_category";
  category: string | null;
} | {
  type: "set_field";
  key: string;
  value: CustomFieldValue | null;
} | {
  type: "add_tags";
  tags: string[];
} | {
  type: "remove_tags";
  tags: string[];
} | {
  type: "add_watchers";
  user_ids: string[];
} | {
  type: "remove_watchers";
  user_ids: string[];
} | {
  type: "add_note";
  content: string;
} | {
  type: "send_reply";
  content: string;
  translations: Record<string, string>;
} | {
  type: "send_to_webhook";
  endpoint_id: string;
};

/** One step of a rule. Texts can contain the variables of canned replies. */
export type RuleActionInput = {
  type: "set_status";
  status: TicketStatus;
} | {
  type: "set_priority";
  priority: TicketPriority;
} | {
  type: "assign";
  to: "round_robin" | (string & {}) | null;
} | {
  type: "set_category";
  category: string | null;
} | {
  type: "set_field";
  key: string;
  value: CustomFieldValue | null;
} | {
  type: "add_tags";
  tags: string[];
} | {
  type: "remove_tags";
  tags: string[];
} | {
  type: "add_watchers";
  user_ids: string[];
} | {
  type: "remove_watchers";
  user_ids: string[];
} | {
  type: "add_note";
  content: string;
} | {
  type: "send_reply";
  content: string;
  translations?: Record<string, string>;
} | {
  type: "send_to_webhook";
  endpoint_id: string;
};

/** Like the condition of a view, with fields of the change that caused the rule. */
export type RuleCondition = RuleFieldCondition | {
  all: RuleCondition[];
} | {
  any: RuleCondition[];
};

/** Compares one field of the ticket, or of the change that caused the rule, with a value. */
export interface RuleFieldCondition {
  field: string;
  op: "is_any_of" | "is_none_of" | "is_empty" | "is_not_empty" | "is" | "is_not" | "contains" | "does_not_contain" | "starts_with" | "ends_with" | "contains_any_of" | "contains_all_of" | "contains_none_of" | "at_least" | "at_most";
  value?: string | number | boolean | string[];
}

/** One run of a rule on one ticket. */
export interface RuleRun {
  id: string;
  rule_id: string;
  /** The rule's version at that time. */
  rule_version: number;
  ticket: {
    id: string;
    ticket_number: string;
    subject: string;
  };
  /** What caused it. Changes by other rules cause `ticket_updated`. */
  trigger: RuleTrigger;
  /** Each changed field (also `watchers`) with its old and new value. */
  changes: Changes;
  effects: ("add_note" | "send_reply" | "send_to_webhook")[];
  /** Why a part was left out; null if nothing was. */
  problem: "cut_off" | "no_assignee" | "no_automatic_reply" | null;
  created_at: string;
}

/** What a rule would have done with the latest tickets, as they are now. Other rules are not considered. */
export interface RuleTest {
  /** The number of tickets that were evaluated: at most 200. */
  tested: number;
  /** The tickets that it would have changed, the newest first. */
  changed: {
    ticket: {
      id: string;
      ticket_number: string;
      subject: string;
    };
    /** Each changed field (also `watchers`) with its old and new value. */
    changes: Changes;
    effects: ("add_note" | "send_reply" | "send_to_webhook")[];
    /** Why a part was left out; null if nothing was. */
    problem: "cut_off" | "no_assignee" | "no_automatic_reply" | null;
  }[];
  /** Tickets that match the condition, but have nothing to change. */
  unaffected: number;
  /** Tickets that do not match the condition. */
  not_matching: number;
  /** Tickets to which no trigger has happened: without a reply, or not old enough. */
  not_triggered: number;
  /** The part of the condition that most of the tickets in `not_matching` do not meet; null if there are none. */
  most_failed: {
    condition: RuleFieldCondition;
    count: number;
  } | null;
}

/** `time_passed` causes a rule when `hours` have passed since this moment of the ticket; the moment must have happened. */
export interface RuleTime {
  since: "created" | "updated" | "status_changed" | "customer_replied" | "staff_replied";
  hours: number;
}

export type RuleTrigger = "ticket_created" | "ticket_updated" | "customer_replied" | "staff_replied" | "time_passed";

/** The results of an incoming email's sender checks. `policy` is what the sender's domain requests if DMARC fails. */
export interface SenderChecks {
  spf: "pass" | "fail" | "none" | "not_checked";
  dkim: "pass" | "fail" | "none" | "not_checked";
  dmarc: "pass" | "fail" | "none" | "not_checked";
  policy: "none" | "quarantine" | "reject" | null;
}

export interface SlaClock {
  clock: "response" | "resolution";
  state: "running" | "paused" | "met" | "missed" | "overdue";
  /** Null while waiting for the customer, because the end of the pause is unknown. */
  due_at: string | null;
  /** When the target was met. */
  met_at: string | null;
  /** Remaining working time in minutes; negative if overdue. */
  remaining_minutes: number;
  paused_by: "waiting_for_customer" | "outside_business_hours" | null;
  /** When the timer continues: at the next business hours. Null while waiting for the customer. */
  resumes_at: string | null;
}

/** A customer's rating of the support on a ticket; one per ticket. */
export interface Survey {
  ticket_id: string;
  customer_email: string;
  rating: number;
  feedback: string | null;
  created_at: string;
}

/** A field that ticket and task both have. */
export type SyncedField = "status" | "priority" | "title" | "description" | "tags" | "assignee" | "customer_email" | "due_at";

/** The tool, id and URL of a task. */
export interface TaskAddress {
  provider: string;
  task_id: string;
  url: string;
}

/** A member's tickets of the cohort. */
export interface TeamMember {
  user_id: string;
  first_name: string | null;
  last_name: string | null;
  email: string;
  /** False for members who have left. */
  is_active: boolean;
  assigned: number;
  open: number;
  resolved: number;
  median_first_response_hours: number | null;
  median_resolution_hours: number | null;
  avg_satisfaction: number | null;
  ratings: number;
}

/** The thin body: what changed and where to read it. */
export interface ThinWebhookEvent {
  id: string;
  event: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
  /** When it happened. */
  timestamp: string;
  organization_id: string;
  /** Counts per ticket or article, from 1: compare it, because the order of deliveries is not guaranteed. */
  sequence: number;
  version: "2026-11-23";
  actor: {
    type: "user" | "token" | "customer" | "task-tool" | "system";
    id: string | null;
    name: string | null;
  };
  resource: {
    type: "ticket" | "article";
    id: string;
    url: string;
  };
}

export interface Ticket extends TicketBase {
  organization_id: string;
  description: string | null;
  /** Addresses that get a copy of each reply by email, such as those in Cc of the customer's email. */
  cc: string[];
  /** Members who get notifications about the ticket, in addition to the assignee. */
  watchers: string[];
  /** The channel through which the ticket was created; null for tickets older than this field. */
  channel: "staff" | "portal" | "email" | "widget" | "api" | null;
  /** The resolved or closed ticket that it follows up on (`customer_follow_up: new_ticket`). */
  follow_up_of_id: string | null;
  /** Whether the website that embeds the widget has verified the customer's address. */
  customer_verified: boolean;
  /** When it was imported from another help desk or an export; null for all others. It gets a task only through a backfill. */
  imported_at: string | null;
  /** When the retention policy removed the customer and all texts; null for all others. Such a ticket accepts no changes. */
  anonymized_at: string | null;
  /** The customer's language; null if it is not known. Emails use it if the organization offers it, otherwise the default language. */
  language: CustomerLanguage | null;
  /** Hours of working time, without pauses, from the creation to the first public staff comment. */
  first_response_time_hours: number | null;
  /** Hours of working time, without pauses, from the creation to `resolved_at`. */
  resolution_time_hours: number | null;
  /** How often the ticket was reopened. */
  reopen_count: number;
  /** Number of public comments by staff. */
  public_reply_count: number;
  /** The values of the organization's custom fields (`GET /custom-fields`) by their keys. Fields without a value are missing. */
  custom_fields: Record<string, CustomFieldValue>;
}

/** The fields that a ticket has both in lists and when it is read alone. */
export interface TicketBase {
  id: string;
  ticket_number: string;
  /** The id in another system, unique within the organization: importers find their own tickets by it. */
  external_id: string | null;
  subject: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: string | null;
  tags: string[];
  customer_name: string | null;
  customer_email: string;
  assigned_to: string | null;
  assignee: Assignee | null;
  comment_count: number;
  /** When the last comment was added, public or internal; null without comments. */
  last_comment_at: string | null;
  /** Whether the newest public comment is the customer's. False without public comments. */
  customer_replied_last: boolean;
  /** The task that the ticket is linked to, in any task tool. */
  task: TaskAddress | null;
  /** The task's id if the tool is ClickUp. */
  clickup_task_id: string | null;
  /** When the task was finished, while the customer has not been informed: for the view 'Ready to tell the customer'. */
  task_finished_at: string | null;
  /** The task's outcome while `task_finished_at` is set. */
  task_outcome: "finished" | "not_planned";
  created_at: string;
  updated_at: string;
  resolved_at: string | null;
  /** When staff first replied to the customer. */
  first_response_at: string | null;
  /** When the policy requires the first response; null without a policy. Unchanged while the timer is paused. */
  response_due_at: string | null;
  /** When the policy requires the resolution; otherwise like `response_due_at`. */
  resolution_due_at: string | null;
  /** The earlier of the active due times, for sorting lists. Null while paused, when both are done, and without a policy. */
  next_due_at: string | null;
  /** When the timers were paused to wait for the customer; null while they run. */
  sla_paused_since: string | null;
  /** When a due time was first missed. */
  sla_breached_at: string | null;
  /** When the ticket became older than the policy's escalation time. */
  escalated_at: string | null;
  /** When the ticket was snoozed; null if it is not. Timers keep running. */
  snoozed_at: string | null;
  /** When it wakes if the customer has not replied before; null with `snoozed_at`: only when the customer replies. */
  snoozed_until: string | null;
  /** The ticket into which this duplicate was merged; then it is closed. */
  merged_into_id: string | null;
  /** Incremented with every change; the entity tag is derived from it. */
  version: number;
}

/** A category that customers can choose. Tickets store its name; `translations` maps each language to the name that customers see. */
export interface TicketCategory {
  name: string;
  translations: Record<string, string>;
}

/** An email to the customer, as shown in the delivery log of its ticket. */
export interface TicketEmail {
  id: string;
  kind: string;
  to_address: string;
  state: "pending" | "sending" | "sent" | "failed" | "bounced";
  attempts: number;
  /** Why it was not delivered, or not yet. */
  last_error: string | null;
  created_at: string;
  sent_at: string | null;
}

/** The metrics of one ticket. */
export interface TicketMetrics {
  organization_id: string;
  ticket_id: string;
  created_at: string;
  first_response_time_hours: number | null;
  resolution_time_hours: number | null;
  customer_satisfaction_rating: number | null;
  sla_breached: boolean;
  escalated: boolean;
  reopen_count: number;
  public_reply_count: number;
}

export type TicketPriority = "low" | "medium" | "high" | "urgent";

export interface TicketSla {
  policy: {
    id: string;
    name: string;
    response_time_hours: number;
    resolution_time_hours: number;
  };
  clocks: SlaClock[];
  /** Whether only business hours count: then the remaining time differs from wall-clock time. */
  counts_working_time: boolean;
  /** The total pause while waiting for the customer, in minutes of working time. */
  paused_minutes: number;
  /** When the ticket is escalated unless it is resolved first. Null: never. */
  escalates_at: string | null;
}

/** The dashboard's counts; `open` is the sum of the statuses open and in_progress. */
export interface TicketStats {
  total: number;
  open: number;
  resolved: number;
  unassigned: number;
}

export type TicketStatus = "open" | "in_progress" | "waiting_for_customer" | "resolved" | "closed";

/** A row of the list: without the description, except for its beginning. */
export interface TicketSummary extends TicketBase {
  /** The first 200 characters of the description. */
  description_preview: string | null;
  /** Whether the caller has not seen the newest comment, or the ticket at all. False for API tokens, which have no read position. */
  is_unread: boolean;
  /** With `sort=custom_fields.…`, the value by which the list is sorted; text without regard to case. */
  sort_value?: string | number | null;
}

/** The task that a ticket is linked to, and their sync state. */
export interface TicketTask {
  state: "creating" | "linked" | "gone" | "stopped" | "failed";
  provider: string;
  /** The tool's display name: ClickUp. */
  tool_name: string;
  integration_id: string;
  list_name: string;
  /** Null until the task exists. */
  task_id: string | null;
  url: string | null;
  title: string | null;
  status: ExternalStatus | null;
  assignees: string[];
  /** Whether a change has not been synced yet. */
  is_pending: boolean;
  /** Fields whose value the tool rejected, so that the task differs, with the reason; they are sent again automatically. */
  differs: {
    field: SyncedField;
    reason: string;
  }[];
  /** Why the sync is delayed or failed, as a sentence for people. */
  problem: string | null;
  synced_at: string | null;
  /** The reply that informs the customer of the finished work; null until then, and for work that will not be done. */
  drafted_reply: string | null;
  /** The tickets that share the task, including this one. */
  sharing: {
    /** All fields sync with the primary ticket; the others get only the status and the comments of the task. */
    is_primary: boolean;
    tickets: number;
    customers: number;
    /** The first 20 of the other tickets, the primary one first. */
    others: {
      id: string;
      ticket_number: string;
      subject: string;
      /** All fields sync with the primary ticket; the others get only the status and the comments of the task. */
      is_primary: boolean;
    }[];
  };
}

export interface UpdateArticle {
  title?: string;
  summary?: string | null;
  /** Markdown, as in comments. `![Alternative text](name.png)` shows a picture of the article. */
  body?: string;
  language?: CustomerLanguage;
  category_id?: string | null;
  visibility?: "public" | "internal";
}

export interface UpdateCustomField {
  label?: string;
  /** Explains the field below its input. */
  hint?: string | null;
  /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
  options?: CustomFieldOption[];
  /** The tickets that have the field, by category; empty: all tickets. */
  categories?: string[];
  /** Whether the forms for customers (portal and widget) ask for it. */
  form?: "hidden" | "optional" | "required";
  /** Whether customers see the value on the page of their ticket. */
  shown_to_customers?: boolean;
  /** Whether websites can set it with the widget (`data-field-…`), even if no form asks for it. Visitors could change such a value. */
  set_by_widget?: boolean;
  /** Whether staff must fill it in before they resolve or close a ticket. */
  required_to_resolve?: boolean;
  /** For customers who read another language than the organization's default. */
  translations?: Record<string, {
    label: string;
    /** Explains the field below its input. */
    hint?: string | null;
    /** For `choice` and `choices`, in this order. An option that is removed stays in the tickets that have it. */
    options?: Record<string, string>;
  }>;
}

export interface UpdateOrganization {
  name?: string;
  subdomain?: string | null;
  require_mfa_for_admins?: boolean;
  time_zone?: string;
  business_hours?: BusinessHours | null;
  holidays?: Holiday[];
  auto_assign?: boolean;
  default_priority?: TicketPriority;
  customer_follow_up?: "locked" | "reopen" | "new_ticket";
  instant_lookup?: boolean;
  languages?: {
    default: CustomerLanguage;
    offered: CustomerLanguage[];
  };
  categories?: {
    name: string;
    translations?: Record<string, string>;
  }[];
}

/** `is_active: true` also turns a rule on again that the system turned off. */
export interface UpdateRule {
  name?: string;
  /** Any of them causes the rule. */
  triggers?: RuleTrigger[];
  /** Set exactly when `triggers` is `time_passed`. */
  time?: RuleTime | null;
  condition?: RuleCondition;
  /** In this order. */
  actions?: RuleActionInput[];
  /** Whether the rules after it are skipped when it runs. */
  stops?: boolean;
  /** `once_per_ticket`: at most once for each ticket, ever. */
  runs?: "every_time" | "once_per_ticket";
  is_active?: boolean;
}

export interface UpdateTicket extends ChangesWithComment {
  subject?: string;
  description?: string | null;
  category?: string | null;
  customer_name?: string | null;
  customer_email?: string;
  external_id?: string | null;
  language?: CustomerLanguage | null;
  cc?: Cc;
}

/** `state: active` resumes a paused or disabled endpoint; skipped events can then be replayed. */
export interface UpdateWebhookEndpoint {
  url?: string;
  description?: string;
  events?: WebhookEventName[];
  condition?: Condition | null;
  payload?: "full" | "thin";
  include_internal_notes?: boolean;
  state?: "active" | "paused";
}

export interface View {
  id: string;
  name: string;
  filter: ViewFilter;
  is_shared: boolean;
  owner_id: string;
  created_at: string;
}

/** Like the condition of a webhook endpoint, with fields that change as time passes. At most 2,500 bytes as JSON. */
export type ViewCondition = ViewFieldCondition | {
  all: ViewCondition[];
} | {
  any: ViewCondition[];
};

/** Compares one field of the ticket with a value. Hours count to the time of the request. */
export interface ViewFieldCondition {
  field: string;
  op: "is_any_of" | "is_none_of" | "is_empty" | "is_not_empty" | "is" | "is_not" | "contains" | "does_not_contain" | "starts_with" | "ends_with" | "contains_any_of" | "contains_all_of" | "contains_none_of" | "at_least" | "at_most";
  value?: string | number | boolean | string[];
}

/** The filters of a saved view, as JSON; each is also a filter of the list. `me` in a shared view means the current user. */
export interface ViewFilter {
  /** Matches text in the subject, customer name, email or number, or all words in the description or in one comment. */
  search?: string;
  /** A member's id, `me` or `unassigned`. */
  assignee?: "me" | "unassigned" | (string & {});
  category?: string;
  /** Whether a ticket has a task; `finished`: the task is finished, and the customer has not been informed. */
  task?: "linked" | "unlinked" | "finished";
  /** Whether a ticket is snoozed. Without this filter, both. */
  snoozed?: "true" | "false";
  status?: TicketStatus[];
  priority?: TicketPriority[];
  tag?: string[];
  /** Only tickets that match it, in addition to the other filters. */
  condition?: ViewCondition;
  sort?: string;
}

export interface WebhookAttempt {
  number: number;
  at: string;
  /** The time from the DNS lookup to the end of the response or to the failure. */
  duration_ms: number;
  status: number | null;
  /** Why it failed, in one sentence: 'The certificate has expired'. */
  error: string | null;
  remote_address: string | null;
  request_headers: Record<string, string>;
  response_headers: Record<string, string> | null;
  /** The first 2 KB. */
  response_body: string | null;
}

/** A delivery of one event to one endpoint, as in the list. */
export interface WebhookDelivery {
  id: string;
  endpoint_id: string;
  event_id: string;
  event: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
  ticket_id: string | null;
  ticket_number: string | null;
  /** `skipped`: the endpoint was paused or disabled. `cancelled`: the endpoint was deleted, or its replay was stopped. */
  state: "pending" | "delivered" | "failed" | "skipped" | "cancelled";
  cause: "event" | "redelivery" | "replay" | "test";
  attempts: number;
  /** The status code of the last response; null without a response. */
  last_status: number | null;
  /** Why the last attempt failed, in one sentence; null after a success. */
  last_error: string | null;
  next_attempt_at: string | null;
  delivered_at: string | null;
  created_at: string;
}

export interface WebhookDeliveryDetails extends WebhookDelivery {
  /** The exact bytes that are sent and signed. */
  body: string;
  attempt_log: WebhookAttempt[];
}

export interface WebhookEndpoint {
  id: string;
  organization_id: string;
  url: string;
  description: string;
  /** Empty: all events. */
  events: WebhookEventName[];
  /** Only events of tickets that match, and none of articles; null: all. */
  condition: Condition | null;
  payload: "full" | "thin";
  version: "2026-11-23";
  /** Whether internal notes, and changes made only by notes, are sent. */
  include_internal_notes: boolean;
  state: "active" | "paused" | "disabled";
  /** Why the system disabled it; null otherwise. */
  disabled_reason: "failing" | "gone" | null;
  /** The time since which every attempt has failed; null after a success. */
  failing_since: string | null;
  last_success_at: string | null;
  /** The last four characters of the secret. */
  secret_last_four: string;
  /** While the secret before the last rotation also signs. */
  previous_secret_until: string | null;
  created_by: string;
  created_at: string;
  updated_at: string;
  health: WebhookHealth;
}

/** The full body of an event about a ticket. `data.ticket` is the ticket at the time of the event. */
export interface WebhookEvent {
  id: string;
  event: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
  /** When it happened. */
  timestamp: string;
  organization_id: string;
  /** Counts per ticket or article, from 1: compare it, because the order of deliveries is not guaranteed. */
  sequence: number;
  version: "2026-11-23";
  actor: {
    type: "user" | "token" | "customer" | "task-tool" | "system";
    id: string | null;
    name: string | null;
  };
  data: {
    ticket: Ticket;
    comment?: Comment;
    changes?: Changes;
    survey?: Survey;
    /** The timer of an SLA event. */
    clock?: string;
    /** The rule that sent the ticket. */
    rule?: {
      id: string;
      name: string;
    };
    /** The ticket into which `ticket` was merged. */
    into?: Ticket;
  };
}

export type WebhookEventName = "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished";

/** The last 24 hours of an endpoint. */
export interface WebhookHealth {
  delivered: number;
  failed: number;
  pending: number;
  /** The age of the oldest pending delivery in seconds; null if none is pending. */
  oldest_pending_seconds: number | null;
  /** When the first of the oldest pending deliveries is tried next; null if none is pending. */
  next_attempt_at: string | null;
  /** Successful attempts ÷ all attempts, 0 to 1; null without attempts. */
  success_rate: number | null;
  p50_ms: number | null;
  p95_ms: number | null;
  /** 24 hours, the oldest first. */
  hours: {
    hour: string;
    delivered: number;
    failed: number;
  }[];
}

/** Events that are sent again, after the live ones. */
export interface WebhookReplay {
  id: string;
  endpoint_id: string;
  since: string;
  until: string;
  which: "missed" | "failed" | "all";
  state: "running" | "paused" | "cancelled" | "done";
  total: number;
  sent: number;
  created_at: string;
}

export interface ExportAnalyticsQuery {
  /** The number of days up to today; ignored if `from` and `to` are sent. */
  range?: "7" | "30" | "90";
  /** First and last day of a custom range. */
  from?: string;
  to?: string;
  priority?: TicketPriority;
  channel?: "staff" | "portal" | "email" | "widget" | "api";
  category?: string;
  /** A member's id or `unassigned`. */
  assignee?: "unassigned" | (string & {});
  tag?: string;
}

export interface ListExportedTicketsQuery {
  range?: "7" | "30" | "90";
  from?: string;
  to?: string;
  priority?: TicketPriority;
  channel?: "staff" | "portal" | "email" | "widget" | "api";
  category?: string;
  assignee?: "unassigned" | (string & {});
  tag?: string;
  cursor?: string;
}

export interface ListExportedTicketsResult {
  items: ExportedTicket[];
  next_cursor: string | null;
}

export interface ReadAnalyticsByFieldQuery {
  range?: "7" | "30" | "90";
  from?: string;
  to?: string;
  priority?: TicketPriority;
  channel?: "staff" | "portal" | "email" | "widget" | "api";
  category?: string;
  assignee?: "unassigned" | (string & {});
  tag?: string;
  key: string;
}

export interface ReadHelpReportQuery {
  from: string;
  to: string;
}

export interface ListTicketEmailsResult {
  emails: TicketEmail[];
  /** Recipients of these emails that bounced permanently: they get no email until a user retries. */
  bounced: {
    address: string;
    reason: string | null;
    bounced_at: string;
  }[];
}

export interface ExportTicketsAsCsvQuery {
  page?: number;
  /** Matches text in the subject, customer name, email or number, or all words in the description or in one comment. */
  search?: string;
  /** A member's id, `me` or `unassigned`. */
  assignee?: "me" | "unassigned" | (string & {});
  category?: string;
  /** Whether a ticket has a task; `finished`: the task is finished, and the customer has not been informed. */
  task?: "linked" | "unlinked" | "finished";
  /** Whether a ticket is snoozed. Without this filter, both. */
  snoozed?: "true" | "false";
  status?: string | string[];
  priority?: string | string[];
  tag?: string | string[];
  /** Only tickets that match a condition, as JSON of at most 2,500 bytes; otherwise as in a saved view. */
  condition?: string;
  /** All tickets of one customer. */
  customer_email?: string;
  created_from?: string;
  /** Exclusive. */
  created_to?: string;
  /** Tickets whose `updated_at` is at or after this time. With `sort=updated_oldest` and the cursor a poller reads every change once. */
  updated_since?: string;
  external_id?: string;
  /** `updated_oldest`: the least recently updated first. The app does not offer it. */
  sort?: string;
  /** Limits the result to these tickets, so that a loaded list can refresh some of its rows. */
  ids?: string | string[];
  /** `none`: tickets without a channel. */
  channel?: string | string[];
  /** Whether a ticket has a category. */
  has_category?: "true" | "false";
  /** Tickets with a category other than these. */
  other_category?: string | string[];
  /** Tickets with a tag other than these. */
  other_tag?: string | string[];
  /** Whether a ticket was escalated. */
  escalated?: "true" | "false";
  /** Whether a ticket missed a due time. */
  breached?: "true" | "false";
  /** When a ticket first missed a due time. */
  breached_from?: string;
  breached_to?: string;
  /** Whether a ticket was ever reopened. */
  reopened?: "true" | "false";
  /** Tickets that were reopened in this time. */
  reopened_from?: string;
  reopened_to?: string;
  /** Tickets that were resolved, or closed without being resolved, in this time. */
  resolved_from?: string;
  resolved_to?: string;
  /** Whether a ticket was resolved with exactly one public comment by staff. */
  one_touch?: "true" | "false";
  /** Whether a ticket has a `first_response_time_hours`, because staff replied, and the range of these hours. */
  has_first_response_time?: "true" | "false";
  first_response_hours_from?: string;
  first_response_hours_to?: string;
  /** Whether a ticket has a `resolution_time_hours`, because it is resolved, and the range of these hours. */
  has_resolution_time?: "true" | "false";
  resolution_hours_from?: string;
  resolution_hours_to?: string;
  /** Whether the customer was sent a survey, or has answered it. */
  survey?: "sent" | "answered";
  /** The customer's rating. */
  rating?: string | string[];
  /** Tickets that existed at this time and were neither resolved nor closed: the backlog. */
  open_at?: string;
  /** 1 (Monday) to 7 and 0 to 23, in the organization's time zone. */
  created_weekday?: "1" | "2" | "3" | "4" | "5" | "6" | "7";
  created_hour?: string;
}

export interface SnoozeTicketBody {
  /** In the future, at most a year ahead. Null: only until the customer replies. */
  until: string | null;
}

export interface ListAssigneesQuery {
  page?: number;
  cursor?: string;
  limit?: number;
  search?: string;
}

/** The filters of the list. */
export interface ListTicketsQuery {
  page?: number;
  cursor?: string;
  limit?: number;
  /** Matches text in the subject, customer name, email or number, or all words in the description or in one comment. */
  search?: string;
  /** A member's id, `me` or `unassigned`. */
  assignee?: "me" | "unassigned" | (string & {});
  category?: string;
  /** Whether a ticket has a task; `finished`: the task is finished, and the customer has not been informed. */
  task?: "linked" | "unlinked" | "finished";
  /** Whether a ticket is snoozed. Without this filter, both. */
  snoozed?: "true" | "false";
  status?: string | string[];
  priority?: string | string[];
  tag?: string | string[];
  /** Only tickets that match a condition, as JSON of at most 2,500 bytes; otherwise as in a saved view. */
  condition?: string;
  /** All tickets of one customer. */
  customer_email?: string;
  created_from?: string;
  /** Exclusive. */
  created_to?: string;
  /** Tickets whose `updated_at` is at or after this time. With `sort=updated_oldest` and the cursor a poller reads every change once. */
  updated_since?: string;
  external_id?: string;
  /** `updated_oldest`: the least recently updated first. The app does not offer it. */
  sort?: string;
  /** Limits the result to these tickets, so that a loaded list can refresh some of its rows. */
  ids?: string | string[];
  /** `none`: tickets without a channel. */
  channel?: string | string[];
  /** Whether a ticket has a category. */
  has_category?: "true" | "false";
  /** Tickets with a category other than these. */
  other_category?: string | string[];
  /** Tickets with a tag other than these. */
  other_tag?: string | string[];
  /** Whether a ticket was escalated. */
  escalated?: "true" | "false";
  /** Whether a ticket missed a due time. */
  breached?: "true" | "false";
  /** When a ticket first missed a due time. */
  breached_from?: string;
  breached_to?: string;
  /** Whether a ticket was ever reopened. */
  reopened?: "true" | "false";
  /** Tickets that were reopened in this time. */
  reopened_from?: string;
  reopened_to?: string;
  /** Tickets that were resolved, or closed without being resolved, in this time. */
  resolved_from?: string;
  resolved_to?: string;
  /** Whether a ticket was resolved with exactly one public comment by staff. */
  one_touch?: "true" | "false";
  /** Whether a ticket has a `first_response_time_hours`, because staff replied, and the range of these hours. */
  has_first_response_time?: "true" | "false";
  first_response_hours_from?: string;
  first_response_hours_to?: string;
  /** Whether a ticket has a `resolution_time_hours`, because it is resolved, and the range of these hours. */
  has_resolution_time?: "true" | "false";
  resolution_hours_from?: string;
  resolution_hours_to?: string;
  /** Whether the customer was sent a survey, or has answered it. */
  survey?: "sent" | "answered";
  /** The customer's rating. */
  rating?: string | string[];
  /** Tickets that existed at this time and were neither resolved nor closed: the backlog. */
  open_at?: string;
  /** 1 (Monday) to 7 and 0 to 23, in the organization's time zone. */
  created_weekday?: "1" | "2" | "3" | "4" | "5" | "6" | "7";
  created_hour?: string;
}

export interface MergeTicketBody {
  into_id: string;
}

export interface ReadTimelineQuery {
  page?: number;
  cursor?: string;
  limit?: number;
}

export interface ListTicketWebhookDeliveriesQuery {
  page?: number;
  cursor?: string;
  limit?: number;
  state?: "pending" | "delivered" | "failed" | "skipped" | "cancelled";
  event?: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
  from?: string;
  to?: string;
}

export interface AnnounceAttachmentResult {
  attachment_id: string;
  upload_url: string;
  expires_at: string;
}

export interface LinkAttachmentResult {
  url: string;
  expires_at: string;
}

export interface DraftReplyBody {
  content: string;
}

export interface ListCommentsQuery {
  page?: number;
  cursor?: string;
  limit?: number;
  order?: "asc" | "desc";
}

export interface AddArticlePictureBody {
  attachment_id: string;
}

export interface ListArticlesQuery {
  state?: "draft" | "published";
  visibility?: "public" | "internal";
  /** `none`: articles without a category. */
  category_id?: (string & {}) | "none";
  /** Words of title, summary or text, the last one possibly unfinished. The best matches come first, otherwise the latest changed. */
  q?: string;
  /** Only deleted articles, instead of all others. */
  deleted?: string;
  page?: number;
  cursor?: string;
  limit?: number;
}

export interface PublishArticleBody {
  version: number;
}

export interface ReadArticleVersionResult {
  number: number;
  title: string;
  published_at: string;
  published_by: string | null;
  summary: string | null;
  body: string;
  language: CustomerLanguage;
}

export interface CreateArticleCategoryBody {
  name: string;
  description?: string | null;
}

export interface OrderArticleCategoriesBody {
  ids: string[];
}

export interface UpdateArticleCategoryBody {
  name?: string;
  description?: string | null;
}

export interface TestRuleBody {
  rule: CreateRule;
}

export interface ReadTicketTaskResult {
  task: TicketTask | null;
  integrations: {
    id: string;
    provider: string;
    tool_name: string;
    list_name: string;
  }[];
}

export interface ListWebhookDeliveriesQuery {
  page?: number;
  cursor?: string;
  limit?: number;
  state?: "pending" | "delivered" | "failed" | "skipped" | "cancelled";
  event?: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
  from?: string;
  to?: string;
  ticket_id?: string;
}

export interface ReplayWebhooksBody {
  since: string;
  /** Default: now. */
  until?: string;
  which?: "missed" | "failed" | "all";
  dry_run?: boolean;
}

/** `replay` is null for a dry run, and if there is nothing to send. */
export interface ReplayWebhooksResult {
  count: number;
  replay: WebhookReplay | null;
}

export interface TestWebhookEndpointBody {
  event?: "ticket.created" | "ticket.updated" | "ticket.comment.added" | "ticket.assigned" | "ticket.resolved" | "ticket.closed" | "ticket.reopened" | "ticket.merged" | "ticket.sla.warning" | "ticket.sla.breached" | "ticket.escalated" | "survey.submitted" | "article.published" | "article.unpublished" | "ticket.rule.ran" | "webhook.test";
}

export interface UpdateWebhookReplayBody {
  state: "running" | "paused" | "cancelled";
}

export interface ListChangesQuery {
  /** The `next` of the previous page; without it, the oldest events that are stored (30 days). `now`: no past events. */
  after?: (string & {}) | "now";
  include_internal_notes?: "true" | "false";
  limit?: number;
}

/** `next` is the value for `after`; `end_of_stream`: there are no more events for now. */
export interface ListChangesResult {
  events: WebhookEvent[];
  /** The position of each event, for the stream's ids. */
  positions: string[];
  next: string;
  end_of_stream: boolean;
}

export interface StreamChangesQuery {
  after?: (string & {}) | "now";
  include_internal_notes?: "true" | "false";
}
