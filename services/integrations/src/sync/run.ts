import { systemContext, type Context } from '@tandem/contracts';
import { DatabaseUnavailable, type Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import { sql } from 'kysely';
import type { IntegrationsConfig } from '../config';
import { ToolError } from '../provider/task-tool';
import { lookAfter } from '../reconcile/look-after';
import { findMany, readMany, type Unseen } from '../reconcile/read-many';
import type { ConnectionRow, IntegrationRow, IntegrationsSchema, IntegrationsTx } from '../schema';
import type { Around } from './around';
import { backOffMs, failuresOfAnOutage } from './back-off';
import type { Urgency } from './budget';
import { LeaseLost, toolOf, type ToolCalls } from './caller';
import { findListsToLookAt, releaseLease, renewLease } from './lease.store';
import type { Members } from './members';
import { afterListProblem } from './pause';
import { probeList } from './unavailable';
import { workOnLink, type Outcome } from './work-link';
import { findDue, findWork, postponeLink } from './work.store';
import { ownOrganization } from './own';

interface Surroundings {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  calls: ToolCalls;
  config: IntegrationsConfig;
  log: Logger;
  members: Members;
}

/** Maximum time of one run on a connection. */
const longestMs = 20_000;
/** Maximum number of links synced concurrently. A tool that has not answered lately gets one at a time. */
const atOnce = 4;
/** How often to check for more urgent work while calls are in flight. */
const glanceMs = 200;
/** Minimum time between two checks for changed tasks that can be read by pages of their list. */
const readManyEveryMs = 500;
/** A link that is due more often than this within one run is postponed. */
const mostVisits = 5;
const pauseMs = 5_000;

/** One process's work on one connection, as long as it holds the lease. */
export class Run {
  /** Only the most urgent calls may be sent before this time. */
  retry_at: string | undefined;
  readonly #ctx: Context;
  readonly #running = new Map<string, Promise<unknown>>();
  readonly #visits = new Map<string, number>();
  readonly #worked = new Set<string>();
  /** Integrations whose list, or a batch of whose tasks, is being read. */
  readonly #reading = new Set<string>();
  /** Changed tasks that the pages of their list did not show, so that they are read one by one. */
  readonly #unlisted = new Set<string>();
  readonly #until = Date.now() + longestMs;
  #leaseEnds: number;
  #renewal: Promise<void> = Promise.resolve();
  readonly #timer: NodeJS.Timeout;
  #maxUrgency = 3;
  #isOver = false;
  #readManyAt = 0;

  constructor(
    private readonly around: Surroundings,
    readonly connection: ConnectionRow,
    /** The lease that identifies this run as the connection's worker. */
    private readonly lease: string,
  ) {
    this.#ctx = systemContext(connection.organization_id, `sync-${connection.id}`);
    this.#leaseEnds = Date.now() + around.config.SYNC_LEASE_MS;
    this.#timer = setInterval(() => void (this.#renewal = this.renew()), around.config.SYNC_LEASE_MS / 3);
  }

  /** Works until nothing is due, no more calls are allowed, or the time of the run is over. */
  async work(): Promise<void> {
    for (;;) {
      await this.workUntilIdle();
      await this.#renewal;
      if (this.mustEnd()) return;
      const { connection } = this;
      const which = { maxUrgency: this.#maxUrgency };
      if (await this.inTenant((tx) => releaseLease(tx, connection, this.lease, which))) return this.stop();
    }
  }

  /** Starts no new work. */
  stop(): void {
    this.#isOver = true;
  }

  /** Waits for the work in flight and releases the lease. */
  async end(): Promise<void> {
    this.stop();
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
    await this.#renewal;
    const integrations = [...this.#worked];
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
    while (!this.mustEnd()) {
      await this.beginReading();
      const places = await this.begin();
      if (this.#running.size === 0) return;
      const glance = places > 0 ? [new Promise((resolve) => setTimeout(resolve, glanceMs))] : [];
      await Promise.race([...this.#running.values(), ...glance]);
    }
    await Promise.all(this.#running.values());
  }

  /** Once the lease has expired, another process may have started, so this one must stop. */
  private mustEnd(): boolean {
    return this.#isOver || Date.now() > this.#until || Date.now() > this.#leaseEnds;
  }

  /** Starts as much work as there are free slots, the most urgent first. Returns the number of slots left. */
  private async begin(): Promise<number> {
    const { connection } = this;
    const found = await this.inTenant(async (tx) => {
      const now = await tx.selectFrom('connections').selectAll().where('id', '=', connection.id).executeTakeFirst();
      const places = (now && now.failures >= failuresOfAnOutage ? 1 : atOnce) - this.#running.size;
      const isBlocked = !now || now.state !== 'connected' || (now.blocked_until !== null && Date.parse(now.blocked_until) > Date.now());
      if (isBlocked || places <= 0) return { isBlocked, places, lists: [], links: [] };
      const lists = this.#maxUrgency === 0 ? [] : (await findListsToLookAt(tx, connection)).filter(({ id }) => !this.#running.has(id));
      // Writing a task overwrites its change time and would hide an earlier change, so a list is read before its tasks are written. In the
      // meantime only calls that a person waits for are made.
      const maxUrgency = this.#reading.size > 0 || lists.length > 0 ? 0 : this.#maxUrgency;
      const links = await findDue(tx, connection, [...this.#running.keys()], places, maxUrgency);
      return { isBlocked, places, lists, links };
    });
    if (found.isBlocked) this.stop();
    let { places } = found;
    for (const link of found.links)
      if (places > 0 && (await this.mayVisit(link.ticket_id))) places -= this.start(link.ticket_id, () => this.onLink(link));
    for (const list of found.lists) if (places > 0) places -= this.start(list.id, () => this.onList(list));
    return places;
  }

  private start(key: string, work: () => Promise<Outcome>): 1 {
    const running = work()
      .catch((error: unknown) => this.onFailure(key, error))
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return 1;
  }

  private async onLink({ ticket_id, urgency }: { ticket_id: string; urgency: Urgency }): Promise<Outcome> {
    const { db, calls, config, members } = this.around;
    const { connection } = this;
    const tool = toolOf(connection.provider);
    const call = calls.forConnection(connection, urgency, this.lease);
    const around: Around = {
      ...{ db, ctx: this.#ctx, config, connection, tool, call },
      membersOf: (integration) => members.of(tool, integration, call),
    };
    const outcome = await workOnLink(around, ticket_id);
    if (outcome.kind === 'limited') this.limit(urgency, outcome.retry_at);
    if (outcome.kind === 'broken') this.stop();
    if (outcome.kind === 'done') await this.noteWork(ticket_id);
    return outcome;
  }

  private async onList(integration: IntegrationRow): Promise<Outcome> {
    const { connection } = this;
    const call = this.around.calls.forConnection(connection, 1, this.lease);
    const onChangesRead = () => void this.#reading.delete(integration.id);
    this.#reading.add(integration.id);
    try {
      if (integration.is_active) await lookAfter({ ...this.around, connection, onChangesRead }, integration, call);
      else await probeList({ ...this.around, ctx: this.#ctx, connection, tool: toolOf(connection.provider), call }, integration);
      this.#worked.add(integration.id);
      return { kind: 'done' };
    } catch (error) {
      const about = { connection, integration, call };
      const outcome = await afterListProblem(this.around.db, this.#ctx, toolOf(connection.provider), about, error);
      if (outcome.kind === 'limited') this.limit(1, outcome.retry_at);
      if (outcome.kind === 'broken') this.stop();
      return outcome;
    } finally {
      onChangesRead();
    }
  }

  /** Reads many tasks that changed at the same time by pages of their list. If that fails, reading each task meets the same error. */
  private async beginReading(): Promise<void> {
    if (this.#maxUrgency === 0 || Date.now() - this.#readManyAt < readManyEveryMs) return;
    this.#readManyAt = Date.now();
    const { connection } = this;
    const found = await this.inTenant(async (tx) => {
      const active = tx.selectFrom('integrations').selectAll().where('connection_id', '=', connection.id).where('is_active', '=', true);
      const integrations = (await active.execute()).filter(({ id }) => !this.#running.has(id));
      const many: { integration: IntegrationRow; unseen: Unseen }[] = [];
      for (const integration of integrations) {
        const unseen = await findMany(tx, integration, this.#unlisted);
        if (unseen) many.push({ integration, unseen });
      }
      return many;
    });
    // One slot is reserved for calls that a person waits for.
    for (const { integration, unseen } of found.slice(0, Math.max(0, atOnce - 1 - this.#reading.size)))
      this.start(integration.id, () => this.onMany(integration, unseen));
  }

  private async onMany(integration: IntegrationRow, unseen: Unseen): Promise<Outcome> {
    const call = this.around.calls.forConnection(this.connection, 1, this.lease);
    this.#reading.add(integration.id);
    try {
      const missing = await readMany(this.around, integration, { unseen, call, mayGoOn: () => !this.mustEnd() });
      for (const task_id of missing) this.#unlisted.add(task_id);
      this.#worked.add(integration.id);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.around.log.debug({ err: error }, 'Many tasks could not be read at once');
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

  private async noteWork(ticket_id: string): Promise<void> {
    const work = await this.inTenant((tx) => findWork(tx, ticket_id));
    if (work) this.#worked.add(work.integration.id);
  }

  private async mayVisit(ticket_id: string): Promise<boolean> {
    const visits = (this.#visits.get(ticket_id) ?? 0) + 1;
    this.#visits.set(ticket_id, visits);
    if (visits <= mostVisits) return true;
    this.#visits.delete(ticket_id);
    await this.postpone(ticket_id, pauseMs);
    return false;
  }

  /** An internal error affects one link or list only: it is retried with back-off, and the others continue. */
  private async onFailure(key: string, error: unknown): Promise<void> {
    // The current holder of the lease does the work.
    if (error instanceof LeaseLost) return this.stop();
    this.around.log.error({ err: error, connection: this.connection.id, about: key }, 'The sync of one thing failed');
    if (error instanceof DatabaseUnavailable) return this.stop();
    await this.postpone(key, undefined).catch(() => this.stop());
  }

  private postpone(key: string, ms: number | undefined): Promise<void> {
    return this.inTenant(async (tx) => {
      const link = await tx
        .selectFrom('links')
        .selectAll()
        .where('organization_id', '=', ownOrganization)
        .where('ticket_id', '=', key)
        .executeTakeFirst();
      if (link) return postponeLink(tx, link, { ms: ms ?? backOffMs(link.attempts + 1) }, link.problem);
      const later = sql<string>`now() + make_interval(secs => ${backOffMs(6) / 1_000})`;
      await tx.updateTable('integrations').set({ look_at: later }).where('id', '=', key).execute();
    });
  }

  private async renew(): Promise<void> {
    try {
      const isMine = await this.inTenant((tx) => renewLease(tx, this.connection.id, this.lease, this.around.config.SYNC_LEASE_MS));
      if (!isMine) return this.stop();
      this.#leaseEnds = Date.now() + this.around.config.SYNC_LEASE_MS;
    } catch (error) {
      this.around.log.warn({ err: error }, 'A lease could not be renewed');
    }
  }

  private inTenant<T>(work: (tx: IntegrationsTx) => Promise<T>): Promise<T> {
    return this.around.db.forTenant(this.#ctx, work);
  }
}
