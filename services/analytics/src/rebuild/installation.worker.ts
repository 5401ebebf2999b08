import { Injectable } from '@nestjs/common';
import { analyticsInstalled, announceInstallation, systemContext } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import { emit, HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { AnalyticsSchema } from '../schema';
import { isInstallationAnnounced, markInstallationAnnounced } from './installation.store';

/** Announces a new database once, because the stream no longer contains the events of older organizations and tickets. */
@Injectable()
export class InstallationWorker {
  constructor(private readonly db: Database<AnalyticsSchema>) {}

  @Recovers(announceInstallation)
  async findUnannounced(): Promise<PendingJob<typeof announceInstallation>[]> {
    const isAnnounced = await this.db.asSystem('whether the installation is announced', isInstallationAnnounced);
    return isAnnounced ? [] : [{ id: 'installation', ctx: systemContext(null, 'installation'), data: {} }];
  }

  /** The row and the event are one transaction: a killed process has announced nothing, so the next one announces it. */
  @HandlesJob(announceInstallation, { concurrency: 1 })
  async announce(): Promise<void> {
    await this.db.asSystem('announce the installation', async (tx) => {
      const installed_at = await markInstallationAnnounced(tx);
      if (installed_at) await emit(tx, systemContext(null, 'installation'), analyticsInstalled, newId(), { installed_at });
    });
  }
}
