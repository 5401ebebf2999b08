import type { ExternalField, ExternalStatus, SyncField, TaskTool as TaskToolDescription, TicketPriority } from '@tandem/contracts';
import type { CustomFieldType, CustomFieldValue } from '@tandem/contracts/values';
import type { FieldName } from './field-names';

/** A webhook as it arrived: header names in lower case, the body as the bytes that were signed. */
export interface RawWebhook {
  headers: Record<string, string>;
  body: Buffer;
}

/** The content of a webhook in tool-independent terms. It names the items that may have changed; their values are read from the tool. */
export interface InboundChange {
  /** The tool's own event name, for the log. */
  event: string;
  /**
   * `task`: fields of a task; `comment`: a comment, named in `comment_id`; `task_deleted`, `list_deleted` (`list_id`); `other`: nothing
   * that is synced (duplicate events of one change, fields that are not synced).
   */
  kind: 'task' | 'comment' | 'task_deleted' | 'list_deleted' | 'other';
  /** Opaque; null if the event is about something larger than a task. */
  task_id: string | null;
  list_id: string | null;
  comment_id: string | null;
  /** The account that made the change, if the tool reports it; it may be our own. */
  actor_id: string | null;
  /** The tool's time of the change, ISO; null if not given. A snapshot of the task from that time or later already includes the change. */
  at: string | null;
}

/** The credentials for calls on behalf of an organization. */
export interface ToolAccess {
  kind: 'oauth' | 'personal_token';
  token: string;
}

export interface ToolRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL of the tool's API, with the query: `/v2/task/86abc`. */
  path: string;
  body?: unknown;
}
export interface ToolAnswer {
  status: number;
  headers: Record<string, string>;
  /** Parsed JSON; undefined for an empty response. */
  body: unknown;
}
/**
 * Makes one call with the credentials of a connection: waits for the rate limit, bounds time and size, and throws `ToolError` for every
 * unsuccessful response (as the tool's `toolProblem` reads it). Providers never have access to tokens.
 */
export type ToolCall = (request: ToolRequest) => Promise<ToolAnswer>;

/**
 * Why a call failed, which decides how it is handled:
 * - `unreachable`: no response, 5xx, or invalid content; it is unknown whether the call took effect. Retried with back-off.
 * - `rate_limited`: not to be retried before `retry_at`.
 * - `unauthorized`: the token is invalid, or gives no access to this item; `whoAmI` decides which.
 * - `missing`: the task, list or comment never existed, no longer exists, or is not accessible; `gone` if the tool reports that it was deleted or
 *   moved, which it reports only to accounts with access.
 * - `refused`: will fail again if retried; `field` if the tool named one. Other fields are still sent.
 */
export type ToolProblem = 'unreachable' | 'rate_limited' | 'unauthorized' | 'missing' | 'refused';
export class ToolError extends Error {
  constructor(
    readonly problem: ToolProblem,
    /** For people and the sync log, possibly in the tool's own words (`reasonOf`); never contains a token. */
    message: string,
    readonly details: {
      status?: number;
      code?: string;
      retry_at?: string;
      field?: SyncField;
      /** The plan of the tool's customer allows no more custom fields. */
      isPlanLimit?: boolean;
      cause?: unknown;
      sent?: boolean;
      gone?: boolean;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'ToolError';
  }
}

/** The token's rate limit as reported in a response. `reset_at` is ISO. */
export interface RateState {
  limit: number;
  remaining: number;
  reset_at: string;
}

export interface ExternalUser {
  id: string;
  name: string;
  email: string | null;
}
export interface Choice {
  id: string;
  name: string;
}
export interface ListDescription {
  id: string;
  name: string;
  statuses: ExternalStatus[];
  fields: ListField[];
}
/** A custom field of a list. `options` is empty for types without options. */
export interface ListField extends ExternalField {
  options: Choice[];
}
/** A value of a custom field in the tool's own form. */
export type FieldValueForTask = string | number | boolean | string[];
export interface ConvertedFieldValue {
  /** Null if nothing of the value can be sent. */
  value: FieldValueForTask | null;
  /** A sentence for the sync log: why the value, or a part of it, cannot be sent. */
  problem?: string;
}
export interface TaskFieldChange {
  field_id: string;
  /** Null removes the value. */
  value: FieldValueForTask | null;
}

/** A task as the tool returns it. */
export interface TaskSnapshot {
  id: string;
  url: string;
  list_id: string;
  list_name: string | null;
  title: string;
  /** Plain text without our own lines (`TaskText.lines`); null if empty. */
  description: string | null;
  /** The text below our own lines, in the form in which the provider expects it back (`TaskText.below`). */
  below?: string | null;
  status: ExternalStatus;
  /** Null if the tool has none; the ticket then keeps its own. */
  priority: TicketPriority | null;
  tags: string[];
  assignees: ExternalUser[];
  due_at: string | null;
  updated_at: string;
  /** Archived in the tool, so no longer worked on. */
  archived?: boolean;
}

/**
 * A customer's text, which the provider escapes so that it is shown literally, and our own lines below it: the link to the ticket, the
 * customer.
 */
export interface TaskText {
  text: string | null;
  lines: { label: string; text: string; url?: string }[];
  /** The text below these lines, which must be kept (`TaskSnapshot.below`). */
  below?: string;
  /** The URL of the full text, for tools that shorten it. */
  whole?: string;
}
/** The ending of our comments, kept even if a tool shortens the comment. */
export interface CommentEnding {
  line: string;
  /** The URL of the full comment. */
  whole: string;
}
/** The maximum length of a text as sent to the tool: Markdown, including our own lines. */
export interface TextLimit {
  most: number;
  unit: 'characters' | 'bytes';
}
export interface TaskDraft {
  title: string;
  description: TaskText;
  /** The name of a status of the list; undefined: the list's first status. */
  status?: string;
  priority?: TicketPriority;
  tags: string[];
  assignee_ids: string[];
  due_at: string | null;
  /** Undefined if no field is mapped. */
  customer_email?: { field_id: string; value: string };
  custom_fields?: TaskFieldChange[];
}
/** Only the fields to change. */
export interface TaskPatch {
  title?: string;
  description?: TaskText;
  status?: string;
  priority?: TicketPriority;
  tags?: { add: string[]; remove: string[] };
  assignees?: { add: string[]; remove: string[] };
  due_at?: string | null;
  customer_email?: { field_id: string; value: string };
  custom_fields?: TaskFieldChange[];
}
/** The result of a patch: the task afterward, and the fields that the tool refused while it accepted the others. */
export interface PatchResult {
  /** Null if every part was refused or no response contained the task. */
  task: TaskSnapshot | null;
  refused: { field: FieldName; message: string; isPlanLimit?: boolean }[];
}
export interface ExternalComment {
  id: string;
  author: ExternalUser;
  text: string;
  at: string;
}
export interface WebhookAtTool {
  id: string;
  secret: string;
}

/**
 * The interface of a task tool. Each provider is one folder next to this file and one line in `registry.ts`, and passes the suite in
 * `task-tool.contract.ts`. Ids are the tool's own, opaque strings. Every method that uses `call` may throw `ToolError`.
 */
export interface TaskTool extends Omit<TaskToolDescription, 'oauth_configured'> {
  /** As documented by the tool; null if no limit is documented. Longer texts are shortened, with the URL of the full text. */
  limits: Record<'title' | 'description' | 'comment', TextLimit | null>;
  /** A customer's text in the form in which this tool stores descriptions; `limits` applies to this form. */
  written(text: string): string;
  /** The resolution of the tool's times: two changes within one step have the same time. */
  time_step_ms: number;
  /** Calls that one page of `listChanged` takes. */
  list_page_calls: number;

  // ---- connection
  /** The configured base URL of the API, without a trailing slash. */
  baseUrl(settings: ToolSettings): string;
  /** Headers of every call: authorization and any others that the tool requires. */
  headers(access: ToolAccess): Record<string, string>;
  /** Undefined if the response does not report the rate limit. */
  rateOf(headers: Record<string, string>): RateState | undefined;
  /** The error for an unsuccessful response. `now` is used for responses that give only a waiting time. */
  toolProblem(answer: ToolAnswer, now: string): ToolError;

  // ---- OAuth; undefined if client id or secret are not configured
  authorizeUrl(settings: ToolSettings, input: { state: string; redirect_uri: string }): string | undefined;
  /** The request that exchanges a code for a token; sent without authorization. */
  exchangeRequest(
    settings: ToolSettings,
    input: { code: string; redirect_uri: string },
  ): { url: string; headers: Record<string, string>; body: unknown } | undefined;
  /** The request that exchanges a refresh token for a new token, which `readToken` reads; omitted if tokens do not expire. */
  refreshRequest?(
    settings: ToolSettings,
    refresh_token: string,
  ): { url: string; headers: Record<string, string>; body: unknown } | undefined;
  /** Undefined if the response contains no token. */
  readToken(body: unknown): { token: string; refresh_token?: string; expires_at?: string } | undefined;

  // ---- accounts and lists
  whoAmI(call: ToolCall): Promise<ExternalUser>;
  listWorkspaces(call: ToolCall): Promise<Choice[]>;
  /** [] for a tool without spaces. */
  listSpaces(call: ToolCall, workspace_id: string): Promise<Choice[]>;
  listLists(call: ToolCall, within: { workspace_id?: string; space_id?: string }): Promise<Choice[]>;
  describeList(call: ToolCall, list_id: string): Promise<ListDescription>;
  /** Users who can be assigned, matched by email address. Tools that hide addresses return null for them. */
  listMembers(call: ToolCall, place: { workspace_id: string; list_id: string }): Promise<ExternalUser[]>;

  // ---- custom fields; omitted for tools without them
  /** The tool's field types that can hold the values of each type of the help desk. */
  fieldTypes?: Record<CustomFieldType, readonly string[]>;
  /** Converts a value for a field with one of these types; choices are given by the labels of their options. */
  fieldValue?(field: ListField, type: CustomFieldType, value: CustomFieldValue): ConvertedFieldValue;

  // ---- tasks
  createTask(call: ToolCall, list_id: string, draft: TaskDraft): Promise<TaskSnapshot>;
  /** Makes as few calls as the tool allows. A refused part does not block the others; errors other than `refused` are thrown. */
  updateTask(call: ToolCall, task_id: string, patch: TaskPatch): Promise<PatchResult>;
  /**
   * Replaces Tandem's own lines in a description, or adds them at its end. The text above and below them keeps its formatting. If the
   * description has no room for `lines`, it writes the first of `shorter` that fits; if none fits, it fails as refused. Returns the
   * updated task.
   */
  writeLines(call: ToolCall, task_id: string, lines: TaskText['lines'], shorter?: TaskText['lines'][]): Promise<TaskSnapshot>;
  getTask(call: ToolCall, task_id: string): Promise<TaskSnapshot>;
  /**
   * Converts an entered URL or id into one that `getTask` accepts; `place` is the list that the user chose, because custom ids of a
   * workspace and short ids are only meaningful within it. Undefined for any other text.
   */
  taskIdOf(typed: string, place?: { workspace_id: string; list_id: string }): string | undefined;
  /** Tasks of a list whose title contains all the words, the latest change first: at most 20, from the 300 changed last. */
  searchTasks(call: ToolCall, list_id: string, words: string): Promise<TaskSnapshot[]>;
  /**
   * Tasks of a list that changed after `since` (the tool's time; null: all), the oldest change first, including closed ones; `cursor` is
   * from the previous page.
   */
  listChanged(call: ToolCall, list_id: string, since: string | null, cursor?: string): Promise<{ tasks: TaskSnapshot[]; cursor?: string }>;
  /**
   * The task whose description contains `marker`, among those created or changed since: finds out whether a creation without a response
   * took effect.
   */
  findTask(call: ToolCall, list_id: string, marker: string, since: string): Promise<TaskSnapshot | undefined>;

  // ---- comments
  /** `at` is the tool's time of the comment, which is also the task's change time; null if not given. */
  addComment(call: ToolCall, task_id: string, text: string, ending?: CommentEnding): Promise<{ id: string; at: string | null }>;
  /**
   * The latest first, at most 100, none older than `since`. `sought` are ids that must be included if they exist, regardless of age; once
   * all are found, replies in threads may be omitted. Without `sought`, replies are included.
   */
  listComments(call: ToolCall, task_id: string, since: string, sought?: readonly string[]): Promise<ExternalComment[]>;

  // ---- webhooks
  /** Creates a webhook for a list, or takes over an existing one with the same address. */
  ensureWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, address: string, secret: string): Promise<WebhookAtTool>;
  webhookHealth(
    call: ToolCall,
    place: { workspace_id: string; list_id: string },
    webhook_id: string,
  ): Promise<'active' | 'failing' | 'suspended' | 'missing'>;
  reviveWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, webhook_id: string, address: string): Promise<void>;
  /** Succeeds if the webhook no longer exists. */
  removeWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, webhook_id: string): Promise<void>;
  /** Whether the bytes were signed with the secret. Constant time; false for a missing signature. */
  verifyWebhook(webhook: RawWebhook, secret: string): boolean;
  /** The changes in a verified webhook; throws `Permanent` for a body that can never be parsed. */
  readWebhook(body: Buffer): InboundChange[];
}

/** URLs and credentials of the tools, from the configuration (`config.ts`). */
export interface ToolSettings {
  CLICKUP_API_URL: string;
  CLICKUP_AUTHORIZE_URL: string;
  CLICKUP_CLIENT_ID?: string | undefined;
  CLICKUP_CLIENT_SECRET?: string | undefined;
  GITHUB_API_URL: string;
  GITHUB_WEB_URL: string;
  GITHUB_CLIENT_ID?: string | undefined;
  GITHUB_CLIENT_SECRET?: string | undefined;
}
