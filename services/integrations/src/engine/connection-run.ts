import { systemContext, type Context } from '@tandem/contracts';
import { currentOrganizationId, DatabaseUnavailable, type Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import { sql } from 'kysely';
import type { IntegrationsConfig } from '../config';
import { ToolError } from '../provider/task-tool';
import { reconcileList } from '../pull/reconcile-list';
import { findBatch, readBatch, type UnreadTasks } from '../pull/read-batch';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import type { SyncContext } from './sync-context';
import { backOffMs, outageThreshold } from './back-off';
import type { Urgency } from './link-values';
import { LeaseLost, getTaskTool, type ToolClients } from '../tool/tool-client';
import { findListsToCheck, releaseLease, renewLease } from './lease.store';
import type { MemberCache } from '../tool/member-cache';
import { handleListError } from '../tool/connection-health';
import { probeList } from '../tool/list-health';
import type { Outcome } from './outcome';
import { syncLink } from './sync-link';
import { findDue, postponeLink } from './sync-link.store';

interface RunDeps {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  clients: ToolClients;
  config: IntegrationsConfig;
  log: Logger;
  members: MemberCache;
}

/** Maximum time of one run on a connection. */
const maxRunMs = 20_000;
/** Maximum number of links synced concurrently. A tool that has not responded recently gets one at a time. */
const maxConcurrency = 4;
/** How often to check for more urgent work while calls are in flight. */
const pollMs = 200;
/** Minimum time between two checks for changed tasks that can be read by pages of their list. */
const readBatchEveryMs = 500;
/** A link that is due more often than this within one run is postponed. */
const maxVisits = 5;
const pauseMs = 5_000;

/** One process's work on one connection, as long as it holds the lease. */
export class ConnectionRun {
  /** Only the most urgent calls may be sent before this time. */
  retry_at: string | undefined;
  readonly #ctx: Context;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #visits = new Map<string, number>();
  readonly #synced = new Set<string>();
  /** Integrations whose list, or a batch of whose tasks, is being read. */
  readonly #reading = new Set<string>();
  /** Changed tasks that the pages of their list did not show, so that they are read one by one. */
  readonly #unlisted = new Set<string>();
  readonly #until = Date.now() + maxRunMs;
  #leaseEnds: number;
  #renewal: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  #maxUrgency = 3;
  #isStopped = false;
  #readBatchAt = 0;

  constructor(
    private readonly deps: RunDeps,
    readonly connection: ConnectionRow,
    /** The lease that identifies this run as the connection's worker. */
    private readonly lease: string,
  ) {
    this.#ctx = systemContext(connection.organization_id, `sync-${connection.id}`);
    this.#leaseEnds = Date.now() + deps.config.SYNC_LEASE_MS;
    this.#timer = setInterval(() => void (this.#renewal = this.renew()), deps.config.SYNC_LEASE_MS / 3);
  }

  /** Works until nothing is due, no more calls are allowed, or the time limit of the run is reached. */
  async work(): Promise<void> {
    for (;;) {
      await this.workUntilIdle();
      await this.#renewal;
      if (this.mustStop()) return;
      const { connection } = this;
      const which = { maxUrgency: this.#maxUrgency };
      if (await this.inTenant((tx) => releaseLease(tx, connection, this.lease, which))) return this.stop();
    }
  }

  /** Starts no new work. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Waits for the work in flight and releases the lease. */
  async end(): Promise<void> {
    this.stop();
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
    await this.#renewal;
    const integrations = [...this.#synced];
    await this.inTenant(async (tx) => {
      // The connection is locked first, in the same order as when connecting or disconnecting.
      await releaseLease(tx, this.connection, this.lease, 'anyway');
      if (integrations.length > 0)
        await tx
          .updateTable('integrations')
          .set({ last_sync_at: sql<string>`now()` })
          .where('id', 'in', integrations)
          .execute();
    });
  }

  private async workUntilIdle(): Promise<void> {
    while (!this.mustStop()) {
      await this.startBatchReads();
      const slots = await this.startDue();
      if (this.#running.size === 0) return;
      const poll = slots > 0 ? [new Promise((resolve) => setTimeout(resolve, pollMs))] : [];
      await Promise.race([...this.#running.values(), ...poll]);
    }
    await Promise.all(this.#running.values());
  }

  /** Once the lease has expired, another process may have started, so this one must stop. */
  private mustStop(): boolean {
    return this.#isStopped || Date.now() > this.#until || Date.now() > this.#leaseEnds;
  }

  /** Starts as much work as there are free slots, the most urgent first. Returns the number of slots left. */
  private async startDue(): Promise<number> {
    const { connection } = this;
    const found = await this.inTenant(async (tx) => {
      const now = await tx.selectFrom('connections').selectAll().where('id', '=', connection.id).executeTakeFirst();
      const slots = (now && now.failures >= outageThreshold ? 1 : maxConcurrency) - this.#running.size;
      const isBlocked = !now || now.state !== 'connected' || (now.blocked_until !== null && Date.parse(now.blocked_until) > Date.now());
      if (isBlocked || slots <= 0) return { isBlocked, slots, lists: [], links: [] };
      const lists = this.#maxUrgency === 0 ? [] : (await findListsToCheck(tx, connection)).filter(({ id }) => !this.#running.has(id));
      // Writing a task overwrites its change time and would hide an earlier change, so a list is read before its tasks are written. In the
      // meantime only calls that a user waits for are made.
      const maxUrgency = this.#reading.size > 0 || lists.length > 0 ? 0 : this.#maxUrgency;
      const links = await findDue(tx, connection, [...this.#running.keys()], slots, maxUrgency);
      return { isBlocked, slots, lists, links };
    });
    if (found.isBlocked) this.stop();
    let { slots } = found;
    for (const link of found.links)
      if (slots > 0 && (await this.underVisitLimit(link.ticket_id))) slots -= this.start(link.ticket_id, () => this.onLink(link));
    for (const list of found.lists) if (slots > 0) slots -= this.start(list.id, () => this.onList(list));
    return slots;
  }

  private start(key: string, work: () => Promise<Outcome>): 1 {
    const running = work()
      .catch((error: unknown) => this.onFailure(key, error))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return 1;
  }

  private async onLink({ ticket_id, urgency }: { ticket_id: string; urgency: Urgency }): Promise<Outcome> {
    const { db, clients, config, members } = this.deps;
    const { connection } = this;
    const tool = getTaskTool(connection.provider);
    const call = clients.forConnection(connection, urgency, this.lease);
    const sync: SyncContext = {
      db,
      ctx: this.#ctx,
      config,
      connection,
      tool,
      call,
      membersOf: (integration) => members.of(tool, integration, call),
    };
    const outcome = await syncLink(sync, ticket_id);
    if (outcome.kind === 'limited') this.limit(urgency, outcome.retry_at);
    if (outcome.kind === 'broken') this.stop();
    if (outcome.kind === 'done' && outcome.integration_id) this.#synced.add(outcome.integration_id);
    return outcome;
  }

  private async onList(integration: IntegrationRow): Promise<Outcome> {
    const { connection } = this;
    const call = this.deps.clients.forConnection(connection, 1, this.lease);
    const onChangesRead = () => void this.#reading.delete(integration.id);
    this.#reading.add(integration.id);
    try {
      if (integration.is_active) await reconcileList({ ...this.deps, connection, onChangesRead }, integration, call);
      else await probeList({ ...this.deps, ctx: this.#ctx, connection, tool: getTaskTool(connection.provider), call }, integration);
      this.#synced.add(integration.id);
      return { kind: 'done' };
    } catch (error) {
      const about = { connection, integration, call };
      const outcome = await handleListError(this.deps.db, this.#ctx, getTaskTool(connection.provider), about, error);
      if (outcome.kind === 'limited') this.limit(1, outcome.retry_at);
      if (outcome.kind === 'broken') this.stop();
      return outcome;
    } finally {
      onChangesRead();
    }
  }

  /** Reads many tasks that changed at the same time by pages of their list. If that fails, reading each task fails with the same error. */
  private async startBatchReads(): Promise<void> {
    if (this.#maxUrgency === 0 || Date.now() - this.#readBatchAt < readBatchEveryMs) return;
    this.#readBatchAt = Date.now();
    const { connection } = this;
    const found = await this.inTenant(async (tx) => {
      const active = tx.selectFrom('integrations').selectAll().where('connection_id', '=', connection.id).where('is_active', '=', true);
      const integrations = (await active.execute()).filter(({ id }) => !this.#running.has(id));
      const many: { integration: IntegrationRow; unread: UnreadTasks }[] = [];
      for (const integration of integrations) {
        const unread = await findBatch(tx, integration, this.#unlisted);
        if (unread) many.push({ integration, unread });
      }
      return many;
    });
    // One slot is reserved for calls that a user waits for.
    for (const { integration, unread } of found.slice(0, Math.max(0, maxConcurrency - 1 - this.#reading.size)))
      this.start(integration.id, () => this.onBatch(integration, unread));
  }

  private async onBatch(integration: IntegrationRow, unread: UnreadTasks): Promise<Outcome> {
    const call = this.deps.clients.forConnection(this.connection, 1, this.lease);
    this.#reading.add(integration.id);
    try {
      const missing = await readBatch(this.deps, integration, { unread, call, mayContinue: () => !this.mustStop() });
      for (const task_id of missing) this.#unlisted.add(task_id);
      this.#synced.add(integration.id);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.deps.log.debug({ err: error }, 'Failed to read a batch of tasks');
    } finally {
      this.#reading.delete(integration.id);
    }
    return { kind: 'done' };
  }

  /** The remaining calls of the rate limit are reserved for more urgent work. */
  private limit(urgency: Urgency, retry_at: string): void {
    this.#maxUrgency = Math.min(this.#maxUrgency, urgency - 1);
    this.retry_at = this.retry_at && this.retry_at > retry_at ? this.retry_at : retry_at;
    if (this.#maxUrgency < 0) this.stop();
  }

  private async underVisitLimit(ticket_id: string): Promise<boolean> {
    const visits = (this.#visits.get(ticket_id) ?? 0) + 1;
    this.#visits.set(ticket_id, visits);
    if (visits <= maxVisits) return true;
    this.#visits.delete(ticket_id);
    await this.postpone(ticket_id, pauseMs);
    return false;
  }

  /** An internal error affects one link or list only: it is retried with back-off, and the others continue. */
  private async onFailure(key: string, error: unknown): Promise<void> {
    // The current holder of the lease does the work.
    if (error instanceof LeaseLost) return this.stop();
    this.deps.log.error({ err: error, connection: this.connection.id, about: key }, 'Failed to sync a link or list');
    if (error instanceof DatabaseUnavailable) return this.stop();
    await this.postpone(key, undefined).catch(() => this.stop());
  }

  private postpone(key: string, ms: number | undefined): Promise<void> {
    return this.inTenant(async (tx) => {
      const link = await tx
        .selectFrom('links')
        .selectAll()
        .where('organization_id', '=', currentOrganizationId)
        .where('ticket_id', '=', key)
        .executeTakeFirst();
      if (link) return postponeLink(tx, link, { ms: ms ?? backOffMs(link.attempts + 1) }, link.problem);
      const later = sql<string>`now() + make_interval(secs => ${backOffMs(6) / 1_000})`;
      await tx.updateTable('integrations').set({ next_check_at: later }).where('id', '=', key).execute();
    });
  }

  private async renew(): Promise<void> {
    try {
      const isMine = await this.inTenant((tx) => renewLease(tx, this.connection.id, this.lease, this.deps.config.SYNC_LEASE_MS));
      if (!isMine) return this.stop();
      this.#leaseEnds = Date.now() + this.deps.config.SYNC_LEASE_MS;
    } catch (error) {
      this.deps.log.warn({ err: error }, 'Failed to renew a lease');
    }
  }

  private inTenant<T>(work: (tx: IntegrationsTx) => Promise<T>): Promise<T> {
    return this.deps.db.forTenant(this.#ctx, work);
  }
}
