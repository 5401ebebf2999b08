import type { DeliveryRecord } from '../deliveries';
import { type FaultAim, Faults } from '../faults';
import { type Outcome, type SandboxRequest, SandboxServer } from '../http';
import { type LoggedRequest, RequestLog } from '../request-log';
import { Access } from './access';
import { Api, type Violation } from './api';
import { Board } from './board';
import { Comments } from './comments';
import { Events } from './events';
import { Ids } from './ids';
import { consentPage } from './oauth-page';
import { requestCheck } from './openapi';
import { type ClickUpSandboxOptions, type Settled, withDefaults } from './options';
import { Person } from './person';
import type { Components } from './route';
import { addList, aField, seedDemo } from './seed';
import type { Comment, Field, List, SavedState, Space, Task, Team, User, Webhook } from './state';
import { Tasks } from './tasks';
import { Webhooks } from './webhooks';
import { World } from './world';

/**
 * A ClickUp sandbox: a small server that implements version 2 of ClickUp's API, stores its state, and sends signed webhooks. Its
 * responses follow ClickUp's documentation and observed behavior; it shares no code with our client, so that a wrong assumption of one
 * shows up as a difference.
 */
export class ClickUpSandbox {
  /** Injects faults into the next requests to the API. */
  readonly faults = new Faults();
  /** Actions of agent@demo.test in the user interface; `as(email)` for other users. */
  readonly person: Person;
  private readonly log = new RequestLog();
  private readonly components: Components;
  private readonly api: Api;
  private readonly board: Board;
  private server!: SandboxServer;

  private constructor(private readonly options: Settled) {
    const world = new World(new Ids(options.saved?.ids.seed ?? options.idSeed, options.saved?.ids.given), options.now);
    if (options.saved) world.load(options.saved);
    else seedDemo(world);
    world.onChange = options.onChange;
    const webhooks = new Webhooks(world, options.deliveries, options.webhookEventsAsText);
    const events = new Events(world, webhooks);
    const tasks = new Tasks(world, events);
    this.components = { world, tasks, webhooks, comments: new Comments(world, events, tasks), access: new Access(world, options) };
    const { personalToken: token } = options;
    if (token && !world.tokens.has(token)) this.components.access.issue(this.user('admin@demo.test'), { personal: true, token });
    const check = requestCheck(options.checkWith);
    this.api = new Api(this.components, { check, faults: this.faults, log: this.log, ...options });
    this.person = this.as('agent@demo.test');
    this.board = new Board(this.components, (email) => this.as(email), options.directory);
  }

  static async start(options: ClickUpSandboxOptions = {}): Promise<ClickUpSandbox> {
    const sandbox = new ClickUpSandbox(withDefaults(options));
    sandbox.server = await SandboxServer.listen((request) => sandbox.handle(request), options);
    return sandbox;
  }

  /** Base URL before `/api/v2/…`: a client whose base is `https://api.clickup.com/api` uses `apiUrl`. */
  get url(): string {
    return this.server.url;
  }

  get apiUrl(): string {
    return `${this.url}/api`;
  }

  /** The consent page, in production `https://app.clickup.com/api`. */
  get authorizeUrl(): string {
    return `${this.url}/api`;
  }

  /** Environment variables with which the integrations service uses this sandbox as ClickUp. */
  get serviceEnv() {
    return {
      CLICKUP_API_URL: this.apiUrl,
      CLICKUP_AUTHORIZE_URL: this.authorizeUrl,
      CLICKUP_CLIENT_ID: this.options.clientId,
      CLICKUP_CLIENT_SECRET: this.options.clientSecret,
    };
  }

  async close(): Promise<void> {
    this.components.webhooks.deliveries.close();
    await this.server.away();
  }

  // Outages

  /**
   * Refuses connections and lets webhooks fail (each counts as failed after its attempts); the state is kept. With `deliveries: 'pass'`
   * only incoming requests fail.
   */
  async away({ deliveries = 'fail' }: { deliveries?: 'fail' | 'pass' } = {}): Promise<void> {
    this.components.webhooks.deliveries.cut = deliveries === 'fail';
    await this.server.away();
  }

  /** Listens again on the same port. */
  async back(): Promise<void> {
    this.components.webhooks.deliveries.cut = false;
    await this.server.back();
  }

  /** The next requests (default: 1 of any kind; see `aim`) get this error. */
  failNext(status: number, ecode: string, aim: FaultAim = {}): void {
    this.faults.answer({ status, body: { err: `Fault for a test (${ecode})`, ECODE: ecode } }, aim);
  }

  // Access

  /** Issues a token, as if a user had gone through OAuth; default: admin@demo.test and all workspaces. `personal` issues a `pk_…`. */
  issueToken({ email = 'admin@demo.test', personal, teams }: { email?: string; personal?: boolean; teams?: string[] } = {}): string {
    const team_ids = teams?.map((name) => this.team(name).id);
    return this.components.access.issue(this.user(email), { personal, team_ids }).token;
  }

  /** Issues a code, as if a user had consented on the page. */
  issueCode({ email = 'admin@demo.test', teams = ['Northwind'] }: { email?: string; teams?: string[] } = {}): string {
    return this.components.access.grant(
      this.user(email),
      teams.map((name) => this.team(name).id),
    );
  }

  /** From now on requests with this token, or with any token, get this error. */
  revokeToken(token?: string, ecode = 'OAUTH_025'): void {
    for (const each of this.components.world.tokens.values()) if (token === undefined || each.token === token) each.revoked = ecode;
    this.components.world.changed();
  }

  /** Makes a revoked token valid again, as after a fault of the tool. */
  restoreToken(token: string): void {
    const known = this.components.world.tokens.get(token);
    if (known) known.revoked = null;
    this.components.world.changed();
  }

  // Webhooks

  get webhooks(): Webhook[] {
    return [...this.components.world.webhooks.values()].map((each) => structuredClone(each));
  }

  /** The last 5,000 deliveries with their responses. */
  get deliveries(): readonly DeliveryRecord[] {
    return this.components.webhooks.deliveries.log;
  }

  suspendWebhooks(): void {
    this.components.webhooks.suspendAll();
  }

  dropDeliveries(count: number): void {
    this.components.webhooks.deliveries.drop(count);
  }

  holdDeliveries(): void {
    this.components.webhooks.deliveries.hold();
  }

  get heldDeliveries(): number {
    return this.components.webhooks.deliveries.heldCount;
  }

  releaseDeliveries(options: { order?: 'forward' | 'reverse'; twice?: boolean } = {}): void {
    this.components.webhooks.deliveries.release(options);
  }

  /** Resolves once no webhook is being sent; held ones do not count. */
  async deliveriesSettled(): Promise<void> {
    await this.components.webhooks.deliveries.settled();
  }

  // State. All results are copies.

  team(name: string): Team {
    return structuredClone(named([...this.components.world.teams.values()], name));
  }

  space(name: string): Space {
    return structuredClone(named([...this.components.world.spaces.values()], name));
  }

  /** By name or id, including deleted ones. */
  list(name: string): List {
    return structuredClone(this.listNamed(name));
  }

  /** Adds a list; default statuses are those of "Customer tickets", others are given as [name, type, color]. */
  addList(space: string, name: string, statuses?: Parameters<typeof addList>[3], folder?: string): List {
    return structuredClone(addList(this.components.world, this.space(space).id, name, statuses, { folder }));
  }

  /** Adds a custom field to a list; `options` are the names of those of a `drop_down` or of `labels`. */
  addField(list: string, name: string, type: string, options: string[] = []): Field {
    const field = aField(this.components.world, name, type, options);
    this.listNamed(list).fields.push(field);
    this.components.world.changed();
    return structuredClone(field);
  }

  removeField(list: string, name: string): void {
    const own = this.listNamed(list);
    own.fields = own.fields.filter((field) => field.name !== name);
    this.components.world.changed();
  }

  /** Archives the list: it can still be read, but collections of lists omit it. */
  archiveList(list: string): void {
    this.listNamed(list).archived = true;
    this.components.world.changed();
  }

  /** From now on only these users see the space. */
  closeSpace(space: string, emails: string[]): void {
    const closed = named([...this.components.world.spaces.values()], space);
    closed.private_to = emails.map((email) => this.user(email).id);
    this.components.world.changed();
  }

  /** Shares a list, or with `folder` its folder, with a user by name. */
  shareList(list: string, email: string, { folder = false }: { folder?: boolean } = {}): void {
    const shared = folder ? this.components.world.folderOf(this.listNamed(list)) : this.listNamed(list);
    shared.shared_with = [...(shared.shared_with ?? []), this.user(email).id];
    this.components.world.changed();
  }

  /** Like a change in the list's settings: its tasks have the new name, and no webhook is sent. */
  renameStatus(list: string, from: string, to: string): void {
    const own = this.listNamed(list);
    own.statuses = own.statuses.map((each) => (each.status === from ? { ...each, status: to } : each));
    for (const task of this.components.world.tasks.values()) if (task.list_id === own.id && task.status === from) task.status = to;
    this.components.world.changed();
  }

  deleteList(list: string): void {
    this.components.tasks.removeList(this.listNamed(list));
  }

  user(email: string): User {
    const user = [...this.components.world.users.values()].find((each) => each.email === email);
    if (!user) throw new Error(`Unknown user ${email}`);
    return { ...user };
  }

  as(email: string): Person {
    return new Person(this.user(email), this.components, (name) => this.listNamed(name));
  }

  /** All tasks that are not deleted, of one list if given; oldest first. */
  tasks(list?: string): Task[] {
    const id = list === undefined ? undefined : this.listNamed(list).id;
    const tasks = [...this.components.world.tasks.values()].filter((task) => !task.deleted && (id === undefined || task.list_id === id));
    return tasks.map((task) => structuredClone(task));
  }

  /** Includes deleted ones (see `deleted`); undefined if it never existed. */
  task(id: string): Task | undefined {
    const task = this.components.world.tasks.get(id);
    return task && structuredClone(task);
  }

  /** Includes replies; oldest first. */
  comments(task_id: string): Comment[] {
    return this.components.world.commentsFor(task_id).map((each) => ({ ...each }));
  }

  // Requests

  get requests(): readonly LoggedRequest[] {
    return this.log.entries;
  }

  /** `POST /v2/list/{list_id}/task` → number of requests, including those no longer in `requests`. */
  get requestCounts(): ReadonlyMap<string, number> {
    return this.log.counts;
  }

  /** Requests that violate ClickUp's interface. A client's tests expect none. */
  get violations(): readonly Violation[] {
    return this.api.violations;
  }

  /** The source of the request checks: ClickUp's own reference, or our schemas if it is not available. */
  get validatedBy(): 'clickup-openapi' | 'own-schemas' {
    return this.api.validatedBy;
  }

  /** Resets requests, counts, violations and rate limits. */
  clearLog(): void {
    this.log.clear();
    this.api.clear();
  }

  save(): SavedState {
    return this.components.world.save();
  }

  private handle(request: SandboxRequest): Outcome | Promise<Outcome> {
    const { pathname } = request.url;
    if (pathname.startsWith('/api/')) return this.api.handle(request);
    if (pathname === '/api') return consentPage(this.components, request);
    return this.board.handle(request);
  }

  private listNamed(name: string): List {
    const { lists } = this.components.world;
    return lists.get(name) ?? named([...lists.values()], name);
  }
}

function named<T extends { id: string; name: string }>(things: T[], name: string): T {
  const thing = things.find((each) => each.name === name || each.id === name);
  if (!thing) throw new Error(`There is nothing called ${name}`);
  return thing;
}
