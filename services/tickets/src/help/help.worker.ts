import { Injectable } from '@nestjs/common';
import { pruneHelpUses, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import { deleteExpiredUsesAcrossOrganizations, hasExpiredUsesAcrossOrganizations } from './help-use.store';

const pruneBatch = 1_000;

/** Deletes old figures of the help pages. */
@Injectable()
export class HelpWorker {
  constructor(private readonly db: Database<TicketsSchema>) {}

  @Recovers(pruneHelpUses)
  async findOld(): Promise<PendingJob<typeof pruneHelpUses>[]> {
    const isDue = await this.db.asSystem('whether figures of help pages are old', hasExpiredUsesAcrossOrganizations);
    return isDue ? [{ id: 'past', ctx: systemContext(null, 'sweep-help-uses'), data: {} }] : [];
  }

  @HandlesJob(pruneHelpUses)
  async prune(): Promise<void> {
    while (await this.db.asSystem('delete old figures of help pages', (tx) => deleteExpiredUsesAcrossOrganizations(tx, pruneBatch)));
  }
}
