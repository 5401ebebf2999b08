import type { ExternalField, ExternalStatus, SyncField, TaskTool as TaskToolDescription, TicketPriority } from '@tandem/contracts';

/** A webhook as it arrived: names of headers in lower case, the body as the bytes that were signed. */
export interface RawWebhook {
  headers: Record<string, string>;
  body: Buffer;
}

/** What a webhook says, in the words of no particular tool. It names what may have changed; the truth is read from the tool. */
export interface InboundChange {
  /** The tool's own name of the event, for the log. */
  event: string;
  /**
   * `task`: fields of a task; `comment`: a comment, named in `comment_id`; `task_deleted`, `list_deleted` (`list_id`); `other`: nothing that we
   * keep (the twin events of one change, fields that do not travel).
   */
  kind: 'task' | 'comment' | 'task_deleted' | 'list_deleted' | 'other';
  /** Opaque; null where the event is about something larger than a task. */
  task_id: string | null;
  list_id: string | null;
  comment_id: string | null;
  /** Whose account changed it, where the tool says: perhaps our own. */
  actor_id: string | null;
  /** The tool's time of the change, ISO; null where it does not say. Whoever has seen a state of the task of that time or later knows it already. */
  at: string | null;
}

/** What the sync needs to speak as an organization. */
export interface ToolAccess {
  kind: 'oauth' | 'personal_token';
  token: string;
}

export interface ToolRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the tool's API, with its query: `/v2/task/86abc`. */
  path: string;
  body?: unknown;
}
export interface ToolAnswer {
  status: number;
  headers: Record<string, string>;
  /** Parsed JSON; undefined for an empty answer. */
  body: unknown;
}
/**
 * Makes one call with the access of a connection: waits for its turn in the rate limit, bounds time and size, and throws `ToolError` for every
 * answer that is not a success (as `toolProblem` of the tool reads it). Providers never see tokens.
 */
export type ToolCall = (request: ToolRequest) => Promise<ToolAnswer>;

/**
 * Why a call did not work, and with that what becomes of it:
 * - `away`: no answer, 5xx, nonsense; whether it had an effect is not known. Tried again with pauses.
 * - `rate_limited`: not before `retry_at`.
 * - `unauthorized`: perhaps the token is dead, perhaps the thing is not ours to see: asked with `whoAmI` before anything is believed.
 * - `missing`: the task, list or comment does not exist (any more), or is not ours to see; `gone` where the tool says that it was deleted or moved, which
 *   it says only to whom it would show it.
 * - `refused`: never works like this; `field` where the tool named one. Other fields go on.
 */
export type ToolProblem = 'away' | 'rate_limited' | 'unauthorized' | 'missing' | 'refused';
export class ToolError extends Error {
  constructor(
    readonly problem: ToolProblem,
    /** For people and the sync log, perhaps in the tool's own words (`reasonOf`): never a token. */
    message: string,
    readonly details: {
      status?: number;
      code?: string;
      retry_at?: string;
      field?: SyncField;
      cause?: unknown;
      sent?: boolean;
      gone?: boolean;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.name = 'ToolError';
  }
}

/** What an answer says of the limit of its token. `reset_at`: ISO. */
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
  fields: ExternalField[];
}

/** A task as the tool shows it. */
export interface TaskSnapshot {
  id: string;
  url: string;
  list_id: string;
  list_name: string | null;
  title: string;
  /** Plain text without our own lines (`TaskText.lines`); null when empty. */
  description: string | null;
  /** What the task's people wrote below our own lines, as the provider wants it back (`TaskText.below`). */
  below?: string | null;
  status: ExternalStatus;
  /** Null: the tool says none, and the ticket keeps its own. */
  priority: TicketPriority | null;
  tags: string[];
  assignees: ExternalUser[];
  due_at: string | null;
  updated_at: string;
  /** Put away in the tool: nobody works on it. */
  archived?: boolean;
}

/** A customer's text, which a provider escapes so that it stays text, and lines of our own below it: the link back, the customer. */
export interface TaskText {
  text: string | null;
  lines: { label: string; text: string; url?: string }[];
  /** What stands below these lines and is to stay there (`TaskSnapshot.below`). */
  below?: string;
  /** The address of the whole text, for a tool that takes less of it. */
  whole?: string;
}
/** How a comment of ours ends, however short the tool wants it. */
export interface CommentEnding {
  line: string;
  /** The address of the whole comment. */
  whole: string;
}
/** How much of a text a tool takes, counted in what it is sent: Markdown, our own lines included. */
export interface TextLimit {
  most: number;
  unit: 'characters' | 'bytes';
}
export interface TaskDraft {
  title: string;
  description: TaskText;
  /** Name of a status of the list; undefined: the list's first. */
  status?: string;
  priority?: TicketPriority;
  tags: string[];
  assignee_ids: string[];
  due_at: string | null;
  /** Undefined where no field takes it. */
  customer_email?: { field_id: string; value: string };
}
/** Only what is to change. */
export interface TaskPatch {
  title?: string;
  description?: TaskText;
  status?: string;
  priority?: TicketPriority;
  tags?: { add: string[]; remove: string[] };
  assignees?: { add: string[]; remove: string[] };
  due_at?: string | null;
  customer_email?: { field_id: string; value: string };
}
/** What became of a patch: the task afterwards, and the fields that the tool did not take, while the others went through. */
export interface PatchResult {
  /** Null when every part was refused or none returned a task. */
  task: TaskSnapshot | null;
  refused: { field: SyncField; message: string }[];
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
 * A task tool, as Tandem sees every one of them. Each provider is one folder beside this file and one line in `registry.ts`, and passes the
 * suite in `task-tool.contract.ts`. Ids are the tool's own, opaque strings. Everything that goes through `call` may throw `ToolError`.
 */
export interface TaskTool extends Omit<TaskToolDescription, 'oauth_configured'> {
  /** As the tool documents them; null where it documents none. Longer texts are sent as far as they fit, with the address of the whole. */
  limits: Record<'title' | 'description' | 'comment', TextLimit | null>;
  /** A customer's text as a description of this tool holds it: what `limits` counts. */
  written(text: string): string;
  /** How fine its times are: two changes within one step have the same time. */
  time_step_ms: number;

  // ---- how to speak to it
  /** The base of its API as configured, without a slash at the end. */
  baseUrl(settings: ToolSettings): string;
  /** Headers of every call: authorization and what the tool wants beside it. */
  headers(access: ToolAccess): Record<string, string>;
  /** Undefined where the answer says nothing of it. */
  rateOf(headers: Record<string, string>): RateState | undefined;
  /** What an answer that is not a success means. `now` for answers that say only how long to wait. */
  toolProblem(answer: ToolAnswer, now: string): ToolError;

  // ---- OAuth; undefined where client id or secret are not configured
  authorizeUrl(settings: ToolSettings, input: { state: string; redirect_uri: string }): string | undefined;
  /** The request that turns a code into a token (no authorization yet), and what its answer holds. */
  exchangeRequest(
    settings: ToolSettings,
    input: { code: string; redirect_uri: string },
  ): { url: string; headers: Record<string, string>; body: unknown } | undefined;
  /** The request that turns a refresh token into a new token, which `readToken` reads; left out where tokens do not end. */
  refreshRequest?(
    settings: ToolSettings,
    refresh_token: string,
  ): { url: string; headers: Record<string, string>; body: unknown } | undefined;
  /** Undefined when the answer holds no token. */
  readToken(body: unknown): { token: string; refresh_token?: string; expires_at?: string } | undefined;

  // ---- who and where
  whoAmI(call: ToolCall): Promise<ExternalUser>;
  listWorkspaces(call: ToolCall): Promise<Choice[]>;
  /** [] for a tool without spaces. */
  listSpaces(call: ToolCall, workspace_id: string): Promise<Choice[]>;
  listLists(call: ToolCall, within: { workspace_id?: string; space_id?: string }): Promise<Choice[]>;
  describeList(call: ToolCall, list_id: string): Promise<ListDescription>;
  /** Who can be assigned, by address. Tools that hide addresses give null in them. */
  listMembers(call: ToolCall, place: { workspace_id: string; list_id: string }): Promise<ExternalUser[]>;

  // ---- tasks
  createTask(call: ToolCall, list_id: string, draft: TaskDraft): Promise<TaskSnapshot>;
  /** As few calls as the tool needs. A refused part does not keep the others back; what is not `refused` is thrown. */
  updateTask(call: ToolCall, task_id: string, patch: TaskPatch): Promise<PatchResult>;
  /**
   * Replaces Tandem's own lines in a description, or adds them at its end. The text above and below them keeps its formatting. Returns the task with it.
   */
  writeLines(call: ToolCall, task_id: string, lines: TaskText['lines']): Promise<TaskSnapshot>;
  getTask(call: ToolCall, task_id: string): Promise<TaskSnapshot>;
  /**
   * What `getTask` finds the task of an address or id by, `place` being the list that a person chose: ids that the workspace numbers itself, and short
   * ones, mean something there only. Undefined where it is neither.
   */
  taskIdOf(typed: string, place?: { workspace_id: string; list_id: string }): string | undefined;
  /** Tasks of a list whose title has all the words, the latest change first: at most 20, among the 300 that changed last. */
  searchTasks(call: ToolCall, list_id: string, words: string): Promise<TaskSnapshot[]>;
  /**
   * Tasks of a list that changed after `since` (the tool's time; null: all), oldest change first, closed ones too; `cursor` from the page before.
   */
  listChanged(call: ToolCall, list_id: string, since: string | null, cursor?: string): Promise<{ tasks: TaskSnapshot[]; cursor?: string }>;
  /** The task whose description has `marker` in it, among those made or changed since: whether a creation whose answer was lost had an effect. */
  findTask(call: ToolCall, list_id: string, marker: string, since: string): Promise<TaskSnapshot | undefined>;

  // ---- comments
  /** `at`: the tool's time of it, by which the task counts as changed; null where it does not say. */
  addComment(call: ToolCall, task_id: string, text: string, ending?: CommentEnding): Promise<{ id: string; at: string | null }>;
  /**
   * The latest first, at most 100, none that is older than `since`. `sought`: ids that must be among them if they exist at all, however old; where all
   * are found, answers in threads may be left out. Undefined: whatever there is.
   */
  listComments(call: ToolCall, task_id: string, since: string, sought?: readonly string[]): Promise<ExternalComment[]>;

  // ---- webhooks
  /** Makes a webhook for a list, or takes over the one that leads to this address already. */
  ensureWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, address: string, secret: string): Promise<WebhookAtTool>;
  webhookHealth(
    call: ToolCall,
    place: { workspace_id: string; list_id: string },
    webhook_id: string,
  ): Promise<'active' | 'failing' | 'suspended' | 'missing'>;
  reviveWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, webhook_id: string, address: string): Promise<void>;
  /** Gone already is fine. */
  removeWebhook(call: ToolCall, place: { workspace_id: string; list_id: string }, webhook_id: string): Promise<void>;
  /** Whether the bytes were signed with the secret. Constant time; a missing signature is simply false. */
  verifyWebhook(webhook: RawWebhook, secret: string): boolean;
  /** What a verified webhook says; throws `Permanent` for a body that will never make sense. */
  readWebhook(body: Buffer): InboundChange[];
}

/** Addresses and credentials of the tools, from the configuration (`config.ts`). */
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
