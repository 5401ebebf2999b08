import { Injectable } from '@nestjs/common';
import { pruneRuleRuns, runTimeRules, scanForTimeRules, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { checkTimeRules } from './check-time-rules';
import { loadRules } from './rule-cache';
import {
  findDueRuleTimersAcrossOrganizations,
  findScanForUpdate,
  findScansAcrossOrganizations,
  findTicketsAfter,
  saveScan,
} from './rule-scan.store';
import { rulesVersionIn } from './rules-version';
import { moveTimers, needsTimer } from './rule-timers';
import { deleteExpiredRunsAcrossOrganizations, hasExpiredRunsAcrossOrganizations } from './rule.store';

/** Limits the memory that a sweep's list takes here and in Redis. 10,000 tickets due at once take five sweeps. */
const maxPerSweep = 2_000;
const scanBatch = 1_000;
const pruneBatch = 1_000;

/** Runs time rules: a row of `rule_timers` has the time of a ticket's next check. */
@Injectable()
export class RuleWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(runTimeRules)
  async findDue(): Promise<PendingJob<typeof runTimeRules>[]> {
    const due = await this.db.asSystem('find due time rules of all organizations', (tx) =>
      findDueRuleTimersAcrossOrganizations(tx, maxPerSweep),
    );
    return due.map(({ organization_id, ticket_id }) => ({
      id: ticket_id,
      ctx: systemContext(organization_id, `rules-${ticket_id}`),
      data: { ticket_id },
    }));
  }

  /** Holds the ticket's lock, so that a second worker runs after this one and finds nothing due. */
  @HandlesJob(runTimeRules)
  check(ctx: TenantContext, { ticket_id }: JobDataOf<typeof runTimeRules>): Promise<void> {
    return this.db.forTenant(ctx, (tx) => checkTimeRules(tx, ctx, ticket_id, new Date().toISOString()));
  }

  @Recovers(scanForTimeRules)
  async findScans(): Promise<PendingJob<typeof scanForTimeRules>[]> {
    const scans = await this.db.asSystem('find scans for time rules of all organizations', findScansAcrossOrganizations);
    return scans.map(({ organization_id }) => ({
      id: organization_id,
      ctx: systemContext(organization_id, `rules-${organization_id}`),
      data: { organization_id },
    }));
  }

  /** A transaction per batch: a process that dies loses one batch, and the row has the place to continue. */
  @HandlesJob(scanForTimeRules)
  async scan(ctx: TenantContext): Promise<void> {
    while (await this.db.forTenant(ctx, (tx) => scanNext(tx, ctx.organization_id)));
  }

  @Recovers(pruneRuleRuns)
  async findExpired(): Promise<PendingJob<typeof pruneRuleRuns>[]> {
    const isDue = await this.db.asSystem('whether runs of rules have expired', hasExpiredRunsAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-rule-runs'), data: {} }] : [];
  }

  @HandlesJob(pruneRuleRuns)
  async prune(): Promise<void> {
    let deleted: number;
    do {
      deleted = await this.db.asSystem('delete expired runs of rules', (tx) => deleteExpiredRunsAcrossOrganizations(tx, pruneBatch));
    } while (deleted === pruneBatch);
  }
}

/** Schedules the next tickets that a time rule could concern. Returns whether there may be more. */
async function scanNext(tx: Parameters<typeof saveScan>[0], organization_id: string): Promise<boolean> {
  const scan = await findScanForUpdate(tx, organization_id);
  if (!scan) return false;
  const { rules } = await loadRules(tx, organization_id, await rulesVersionIn(tx, organization_id));
  const found = await findTicketsAfter(tx, scan.last_id, scanBatch);
  const now = new Date().toISOString();
  const ids = found.filter((ticket) => needsTimer(rules, ticket, now)).map(({ id }) => id);
  if (ids.length > 0) await moveTimers(tx, organization_id, ids, Date.now());
  const isMore = found.length === scanBatch;
  await saveScan(tx, organization_id, isMore ? found.at(-1)!.id : null);
  return isMore;
}
