import { listGone, notAuthorized, taskGone } from './errors';
import type { Ids } from './ids';
import type { Comment, Folder, List, SavedState, Space, Tables, Task, Team, Token, User } from './state';

const tableNames = ['users', 'teams', 'spaces', 'folders', 'lists', 'tasks', 'comments', 'webhooks', 'tokens', 'codes'] as const;

/** All stored objects, with the lookups that several components need. */
export class World implements Tables {
  readonly users: Tables['users'] = new Map();
  readonly teams: Tables['teams'] = new Map();
  readonly spaces: Tables['spaces'] = new Map();
  readonly folders: Tables['folders'] = new Map();
  readonly lists: Tables['lists'] = new Map();
  readonly tasks: Tables['tasks'] = new Map();
  readonly comments: Tables['comments'] = new Map();
  readonly webhooks: Tables['webhooks'] = new Map();
  readonly tokens: Tables['tokens'] = new Map();
  readonly codes: Tables['codes'] = new Map();
  /** Comments of each task, oldest first; all changes of comments go through this index. */
  private readonly commentsOf = new Map<string, Comment[]>();
  /** Number of changes, so that a poller can detect new ones. */
  version = 0;
  /** Called after each change. */
  onChange: () => void = () => undefined;

  constructor(
    readonly ids: Ids,
    readonly now: () => number = Date.now,
  ) {}

  changed(): void {
    this.version += 1;
    this.onChange();
  }

  save(): SavedState {
    const tables = Object.fromEntries(tableNames.map((name) => [name, [...this[name].entries()]])) as SavedState['tables'];
    return { version: 1, ids: { seed: this.ids.seed, given: this.ids.given }, tables };
  }

  load(saved: SavedState): void {
    for (const name of tableNames) {
      const table = this[name] as Map<unknown, unknown>;
      table.clear();
      for (const [key, value] of saved.tables[name]) table.set(key, value);
    }
    this.commentsOf.clear();
    for (const comment of this.comments.values()) this.commentsFor(comment.task_id).push(comment);
  }

  addComment(comment: Comment): void {
    this.comments.set(comment.id, comment);
    this.commentsFor(comment.task_id).push(comment);
  }

  removeComment(comment: Comment): void {
    this.comments.delete(comment.id);
    const left = this.commentsFor(comment.task_id).filter((each) => each !== comment);
    this.commentsOf.set(comment.task_id, left);
  }

  commentsFor(task_id: string): Comment[] {
    const found = this.commentsOf.get(task_id);
    if (found) return found;
    const none: Comment[] = [];
    this.commentsOf.set(task_id, none);
    return none;
  }

  user(id: number): User {
    return found(this.users.get(id), `No user ${id}`);
  }

  folderOf(list: List): Folder {
    return found(this.folders.get(list.folder_id), `No folder ${list.folder_id}`);
  }

  spaceOf(list: List): Space {
    return found(this.spaces.get(list.space_id), `No space ${list.space_id}`);
  }

  teamOf(list: List): Team {
    return found(this.teams.get(this.spaceOf(list).team_id), `No team of list ${list.id}`);
  }

  listOf(task: Task): List {
    return found(this.lists.get(task.list_id), `No list ${task.list_id}`);
  }

  /** Its home list first. */
  listsOf(task: Task): List[] {
    const others = (task.also_in ?? []).map((id) => this.lists.get(id)).filter((list) => list !== undefined);
    return [this.listOf(task), ...others];
  }

  listsIn(space_id: string): List[] {
    return [...this.lists.values()].filter((list) => list.space_id === space_id && !list.deleted);
  }

  /** Whether this token's user may see the workspace and has granted the application access to it. */
  reaches(token: Token, team_id: string): boolean {
    return token.team_ids.includes(team_id) && (this.teams.get(team_id)?.member_ids.includes(token.user_id) ?? false);
  }

  seesSpace(token: Token, space: Space): boolean {
    return this.reaches(token, space.team_id) && (space.private_to?.includes(token.user_id) ?? true);
  }

  /** Through its space, or because the folder itself was shared with this user. */
  seesFolder(token: Token, folder: Folder): boolean {
    const space = this.spaces.get(folder.space_id);
    if (!space || !this.reaches(token, space.team_id)) return false;
    return this.seesSpace(token, space) || (folder.shared_with?.includes(token.user_id) ?? false);
  }

  seesList(token: Token, list: List): boolean {
    if (!this.reaches(token, this.spaceOf(list).team_id)) return false;
    return this.seesFolder(token, this.folderOf(list)) || (list.shared_with?.includes(token.user_id) ?? false);
  }

  // The following look up an object by a caller's id and throw ClickUp's errors.

  teamFor(token: Token, id: string): Team {
    const team = this.teams.get(id);
    if (!team || !this.reaches(token, id)) throw notAuthorized();
    return team;
  }

  spaceFor(token: Token, id: string): Space {
    const space = this.spaces.get(id);
    if (!space || !this.seesSpace(token, space)) throw notAuthorized();
    return space;
  }

  folderFor(token: Token, id: string): Folder {
    const folder = this.folders.get(id);
    if (!folder || !this.seesFolder(token, folder)) throw notAuthorized();
    return folder;
  }

  listFor(token: Token, id: string): List {
    const list = this.lists.get(id);
    if (!list || !this.seesList(token, list)) throw notAuthorized();
    if (list.deleted) throw listGone();
    return list;
  }

  taskFor(token: Token, id: string): Task {
    const task = this.tasks.get(id);
    if (!task || !this.listsOf(task).some((list) => this.seesList(token, list))) throw notAuthorized();
    if (task.deleted) throw taskGone();
    return task;
  }

  /** A custom id is unique only within its workspace. */
  taskOfCustomId(token: Token, team_id: string, custom_id: string): Task {
    const team = this.teamFor(token, team_id);
    const task = [...this.tasks.values()].find((each) => each.custom_id === custom_id && this.teamOf(this.listOf(each)).id === team.id);
    return this.taskFor(token, task?.id ?? '');
  }

  commentFor(token: Token, id: string): Comment {
    const comment = this.comments.get(Number(id));
    if (!comment) throw notAuthorized();
    this.taskFor(token, comment.task_id);
    return comment;
  }
}

function found<T>(value: T | undefined, otherwise: string): T {
  if (value === undefined) throw new Error(otherwise);
  return value;
}
