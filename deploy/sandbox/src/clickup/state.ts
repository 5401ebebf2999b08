/** The sandbox's internal model of ClickUp. shapes.ts converts it for clients. Everything here can be stored as JSON. */

export interface User {
  id: number;
  username: string;
  email: string;
  color: string;
  initials: string;
  profilePicture: null;
}

export interface Team {
  id: string;
  name: string;
  color: string;
  member_ids: number[];
}

export interface Tag {
  name: string;
  tag_fg: string;
  tag_bg: string;
}

export interface Space {
  id: string;
  team_id: string;
  name: string;
  tags: Tag[];
  /** The only users who see this space; absent if all of the workspace do. */
  private_to?: number[];
}

/** A list without a folder has its own invisible folder: `hidden`. */
export interface Folder {
  id: string;
  space_id: string;
  name: string;
  hidden: boolean;
  archived?: boolean;
  /** Guests who see this folder but not its space. */
  shared_with?: number[];
}

export interface Status {
  id: string;
  status: string;
  type: 'open' | 'custom' | 'done' | 'closed';
  orderindex: number;
  color: string;
}

export interface Field {
  id: string;
  name: string;
  type: string;
  /** `drop_down` and `labels` have options: a dropdown's with a name, those of labels with a label. */
  type_config: { options?: { id: string; name?: string; label?: string; color: string | null; orderindex?: number }[] };
  date_created: string;
  hide_from_guests: boolean;
  required: boolean;
}

export interface List {
  id: string;
  folder_id: string;
  space_id: string;
  name: string;
  orderindex: number;
  statuses: Status[];
  fields: Field[];
  deleted: boolean;
  archived?: boolean;
  /** Guests who see this list but not its space. */
  shared_with?: number[];
}

/** 1 urgent, 2 high, 3 normal, 4 low. */
export type Priority = 1 | 2 | 3 | 4;

export interface Task {
  id: string;
  /** The workspace's own task id, if that is enabled: `DEV-12`. */
  custom_id?: string;
  /** Its home list. */
  list_id: string;
  /** Other lists that show the task ("Tasks in Multiple Lists"). */
  also_in?: string[];
  name: string;
  /** The description as Markdown, and whether it was sent as Markdown. */
  description: string;
  markdown: boolean;
  /** In the spelling of its list. */
  status: string;
  priority: Priority | null;
  assignees: number[];
  tags: string[];
  due_date: number | null;
  start_date: number | null;
  time_estimate: number | null;
  parent: string | null;
  values: Record<string, unknown>;
  archived: boolean;
  creator: number;
  date_created: number;
  date_updated: number;
  date_done: number | null;
  date_closed: number | null;
  deleted: boolean;
}

export interface Comment {
  id: number;
  task_id: string;
  /** The comment that this one replies to. */
  parent_id: number | null;
  text: string;
  user_id: number;
  assignee: number | null;
  resolved: boolean;
  date: number;
  hist_id: string;
  /** The history item of the original comment, which its edits reuse, as ClickUp documents it. */
  history_id: string;
}

export interface Webhook {
  id: string;
  team_id: string;
  user_id: number;
  client_id: string;
  endpoint: string;
  /** `*` for all events. */
  events: string[];
  task_id: string | null;
  list_id: string | null;
  folder_id: string | null;
  space_id: string | null;
  secret: string;
  health: { status: 'active' | 'failing' | 'suspended'; fail_count: number };
}

export interface Token {
  token: string;
  user_id: number;
  /** Null for a personal token, which reaches all workspaces of its user. */
  client_id: string | null;
  team_ids: string[];
  /** The error code returned since it was revoked. */
  revoked: string | null;
}

export interface Code {
  code: string;
  user_id: number;
  team_ids: string[];
  used: boolean;
}

/** The tables, in the order in which they are saved. */
export interface Tables {
  users: Map<number, User>;
  teams: Map<string, Team>;
  spaces: Map<string, Space>;
  folders: Map<string, Folder>;
  lists: Map<string, List>;
  tasks: Map<string, Task>;
  comments: Map<number, Comment>;
  webhooks: Map<string, Webhook>;
  tokens: Map<string, Token>;
  codes: Map<string, Code>;
}

export interface SavedState {
  version: 1;
  ids: { seed: number; given: number };
  tables: { [name in keyof Tables]: [unknown, unknown][] };
}
