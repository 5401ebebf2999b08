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
import type { House } from './route';
import { addList, seedDemo } from './seed';
import type { Comment, List, SavedState, Space, Task, Team, User, Webhook } from './state';
import { Tasks } from './tasks';
import { Webhooks } from './webhooks';
import { World } from './world';

/**
 * A ClickUp of one's own: a small server that speaks version 2 of its interface, keeps what it is told, and sends signed webhooks. What it
 * answers follows ClickUp's documentation and what was seen of it; it shares no code with our client, so that the two can disagree.
 */
export class ClickUpSandbox {
  /** Put misfortune in the way of the next requests to the API. */
  readonly faults = new Faults();
  /** What is done by hand, as agent@demo.test; `as(email)` for others. */
  readonly person: Person;
  private readonly log = new RequestLog();
  private readonly house: House;
  private readonly api: Api;
  private readonly board: Board;
  private server!: SandboxServer;

  private constructor(options: Settled) {
    const world = new World(new Ids(options.saved?.ids.seed ?? options.idSeed, options.saved?.ids.given), options.now);
    if (options.saved) world.load(options.saved);
    else seedDemo(world);
    world.onChange = options.onChange;
    const webhooks = new Webhooks(world, options.deliveries, options.webhookEventsAsText);
    const events = new Events(world, webhooks);
    const tasks = new Tasks(world, events);
    this.house = { world, tasks, webhooks, comments: new Comments(world, events, tasks), access: new Access(world, options) };
    const { personalToken: token } = options;
    if (token && !world.tokens.has(token)) this.house.access.issue(this.user('admin@demo.test'), { personal: true, token });
    const check = requestCheck(options.checkWith);
    this.api = new Api(this.house, { check, faults: this.faults, log: this.log, ...options });
    this.person = this.as('agent@demo.test');
    this.board = new Board(this.house, (email) => this.as(email), options.directory);
  }

  static async start(options: ClickUpSandboxOptions = {}): Promise<ClickUpSandbox> {
    const sandbox = new ClickUpSandbox(withDefaults(options));
    sandbox.server = await SandboxServer.listen((request) => sandbox.handle(request), options);
    return sandbox;
  }

  /** What stands before `/api/v2/…`: a client whose base is `https://api.clickup.com/api` takes `apiUrl`. */
  get url(): string {
    return this.server.url;
  }

  get apiUrl(): string {
    return `${this.url}/api`;
  }

  /** The page on which a person allows an application to reach workspaces: `https://app.clickup.com/api` elsewhere. */
  get authorizeUrl(): string {
    return `${this.url}/api`;
  }

  async close(): Promise<void> {
    this.house.webhooks.deliveries.close();
    await this.server.away();
  }

  // Outages

  /** Connections are refused and no webhook gets through (each counts as failed after its attempts); everything is kept. `deliveries: 'pass'` cuts only the way in. */
  async away({ deliveries = 'fail' }: { deliveries?: 'fail' | 'pass' } = {}): Promise<void> {
    this.house.webhooks.deliveries.cut = deliveries === 'fail';
    await this.server.away();
  }

  /** On the same port as before. */
  async back(): Promise<void> {
    this.house.webhooks.deliveries.cut = false;
    await this.server.back();
  }

  /** The next requests (1, of any kind, unless `aim` says otherwise) get this error. */
  failNext(status: number, ecode: string, aim: FaultAim = {}): void {
    this.faults.answer({ status, body: { err: `Fault for a test (${ecode})`, ECODE: ecode } }, aim);
  }

  // Access

  /** A token as if a person had gone through OAuth; admin@demo.test and all workspaces unless said. `personal` gives a `pk_…`. */
  issueToken({ email = 'admin@demo.test', personal, teams }: { email?: string; personal?: boolean; teams?: string[] } = {}): string {
    const team_ids = teams?.map((name) => this.team(name).id);
    return this.house.access.issue(this.user(email), { personal, team_ids }).token;
  }

  /** A code as if a person had allowed it on the page. */
  issueCode({ email = 'admin@demo.test', teams = ['Northwind'] }: { email?: string; teams?: string[] } = {}): string {
    return this.house.access.grant(
      this.user(email),
      teams.map((name) => this.team(name).id),
    );
  }

  /** This token, or every one there is, meets with this error from now on. */
  revokeToken(token?: string, ecode = 'OAUTH_025'): void {
    for (const each of this.house.world.tokens.values()) if (token === undefined || each.token === token) each.revoked = ecode;
    this.house.world.changed();
  }

  /** A token that was revoked is good again, as after a fault of the tool. */
  restoreToken(token: string): void {
    const known = this.house.world.tokens.get(token);
    if (known) known.revoked = null;
    this.house.world.changed();
  }

  // Webhooks

  get webhooks(): Webhook[] {
    return [...this.house.world.webhooks.values()].map((each) => structuredClone(each));
  }

  /** What was sent and how it was answered: the last 5,000. */
  get deliveries(): readonly DeliveryRecord[] {
    return this.house.webhooks.deliveries.log;
  }

  suspendWebhooks(): void {
    this.house.webhooks.suspendAll();
  }

  dropDeliveries(count: number): void {
    this.house.webhooks.deliveries.drop(count);
  }

  holdDeliveries(): void {
    this.house.webhooks.deliveries.hold();
  }

  get heldDeliveries(): number {
    return this.house.webhooks.deliveries.heldCount;
  }

  releaseDeliveries(options: { order?: 'forward' | 'reverse'; twice?: boolean } = {}): void {
    this.house.webhooks.deliveries.release(options);
  }

  /** Resolves once no webhook is under way; held ones do not count. */
  async deliveriesSettled(): Promise<void> {
    await this.house.webhooks.deliveries.settled();
  }

  // What there is. All of it copies.

  team(name: string): Team {
    return structuredClone(named([...this.house.world.teams.values()], name));
  }

  space(name: string): Space {
    return structuredClone(named([...this.house.world.spaces.values()], name));
  }

  /** By name or id; deleted ones too. */
  list(name: string): List {
    return structuredClone(this.listNamed(name));
  }

  /** One more list; statuses of "Customer tickets" unless given as [name, type, colour]. */
  addList(space: string, name: string, statuses?: Parameters<typeof addList>[3], folder?: string): List {
    return structuredClone(addList(this.house.world, this.space(space).id, name, statuses, { folder }));
  }

  /** Into the archive: the list still answers, and lists of lists leave it out. */
  archiveList(list: string): void {
    this.listNamed(list).archived = true;
    this.house.world.changed();
  }

  /** Only these people see the space from now on. */
  closeSpace(space: string, emails: string[]): void {
    const closed = named([...this.house.world.spaces.values()], space);
    closed.private_to = emails.map((email) => this.user(email).id);
    this.house.world.changed();
  }

  /** Shares a list, or with `folder` the folder that it is in, with a person by name. */
  shareList(list: string, email: string, { folder = false }: { folder?: boolean } = {}): void {
    const shared = folder ? this.house.world.folderOf(this.listNamed(list)) : this.listNamed(list);
    shared.shared_with = [...(shared.shared_with ?? []), this.user(email).id];
    this.house.world.changed();
  }

  /** As an admin does in the list's settings: its tasks show the new name, and no webhook tells of it. */
  renameStatus(list: string, from: string, to: string): void {
    const own = this.listNamed(list);
    own.statuses = own.statuses.map((each) => (each.status === from ? { ...each, status: to } : each));
    for (const task of this.house.world.tasks.values()) if (task.list_id === own.id && task.status === from) task.status = to;
    this.house.world.changed();
  }

  deleteList(list: string): void {
    this.house.tasks.removeList(this.listNamed(list));
  }

  user(email: string): User {
    const user = [...this.house.world.users.values()].find((each) => each.email === email);
    if (!user) throw new Error(`There is nobody called ${email}`);
    return { ...user };
  }

  as(email: string): Person {
    return new Person(this.user(email), this.house, (name) => this.listNamed(name));
  }

  /** All that are not deleted, of one list if it is named; the oldest first. */
  tasks(list?: string): Task[] {
    const id = list === undefined ? undefined : this.listNamed(list).id;
    const tasks = [...this.house.world.tasks.values()].filter((task) => !task.deleted && (id === undefined || task.list_id === id));
    return tasks.map((task) => structuredClone(task));
  }

  /** Deleted ones too (`deleted` says so); undefined where there never was one. */
  task(id: string): Task | undefined {
    const task = this.house.world.tasks.get(id);
    return task && structuredClone(task);
  }

  /** Replies too; the oldest first. */
  comments(task_id: string): Comment[] {
    return this.house.world.commentsFor(task_id).map((each) => ({ ...each }));
  }

  // What was asked

  get requests(): readonly LoggedRequest[] {
    return this.log.entries;
  }

  /** `POST /v2/list/{list_id}/task` → how often; also beyond what `requests` still holds. */
  get requestCounts(): ReadonlyMap<string, number> {
    return this.log.counts;
  }

  /** Requests that are not as ClickUp's interface wants them. A test of a client expects none. */
  get violations(): readonly Violation[] {
    return this.api.violations;
  }

  /** By what requests are judged: ClickUp's own reference, or our schemas where that is not to be found. */
  get validatedBy(): 'clickup-openapi' | 'own-schemas' {
    return this.api.validatedBy;
  }

  /** Requests, counts, violations and rate limits begin anew. */
  clearLog(): void {
    this.log.clear();
    this.api.clear();
  }

  save(): SavedState {
    return this.house.world.save();
  }

  private handle(request: SandboxRequest): Outcome | Promise<Outcome> {
    const { pathname } = request.url;
    if (pathname.startsWith('/api/')) return this.api.handle(request);
    if (pathname === '/api') return consentPage(this.house, request);
    return this.board.handle(request);
  }

  private listNamed(name: string): List {
    const { lists } = this.house.world;
    return lists.get(name) ?? named([...lists.values()], name);
  }
}

function named<T extends { id: string; name: string }>(things: T[], name: string): T {
  const thing = things.find((each) => each.name === name || each.id === name);
  if (!thing) throw new Error(`There is nothing called ${name}`);
  return thing;
}
