import { Injectable } from '@nestjs/common';
import { removePastAccounts, systemContext, type Context } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Sweeps, Works, type PendingJob } from '@tandem/messaging';
import type { IdentityTables } from '../schema';
import { deleteExpiredLinks, deletePastSessions, deleteUnconfirmedAccounts, pastRowsAtOnce } from './past-accounts.store';

/** Once in so long is enough: what has run out is refused all the same. */
const everyMs = 3_600_000;

/** Removes what is past its time: nobody's address is kept because a stranger typed it once, and no link outlives its use. */
@Injectable()
export class PastAccounts {
  #next = 0;

  constructor(private readonly db: Database<IdentityTables>) {}

  /** No row of its own says that it is due: the hour does. Several replicas ask for one and the same job. */
  @Sweeps(removePastAccounts)
  findDue(): PendingJob<typeof removePastAccounts>[] {
    if (Date.now() < this.#next) return [];
    this.#next = Date.now() + everyMs;
    return [{ id: 'hourly', ctx: systemContext(null, 'sweep-past-accounts'), data: {} }];
  }

  @Works(removePastAccounts, { concurrency: 1 })
  async remove(_ctx?: Context): Promise<void> {
    for (const work of [deleteExpiredLinks, deleteUnconfirmedAccounts, deletePastSessions]) {
      while ((await this.db.asSystem('what is past its time, of everybody', work)) >= pastRowsAtOnce);
    }
  }
}
