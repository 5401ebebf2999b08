import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '@tandem/db';
import { observableGauge, onScrape } from '@tandem/platform';
import type { IdentityTables } from '../schema';
import { findLastBackup } from './operator.store';

const lastBackup = observableGauge(
  'tandem_backup_last_success_timestamp_seconds',
  'When `tandem backup` last completed a backup; missing if it never did',
  [],
);

/** Reports the age of the last backup. */
@Injectable()
export class BackupMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #stop: (() => void) | undefined;

  constructor(private readonly db: Database<IdentityTables>) {}

  onApplicationBootstrap(): void {
    this.#stop = onScrape('backups', [lastBackup], async () => {
      const found = await this.db.asSystem('the last backup', findLastBackup);
      return found ? [{ gauge: lastBackup, value: Date.parse(found.taken_at) / 1000 }] : [];
    });
  }

  beforeApplicationShutdown(): void {
    this.#stop?.();
  }
}
