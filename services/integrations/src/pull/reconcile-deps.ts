import type { Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import type { IntegrationsConfig } from '../config';
import type { IntegrationsSchema } from '../schema';

export interface ReconcileDeps {
  db: Database<IntegrationsSchema>;
  secrets: Secrets;
  config: Pick<IntegrationsConfig, 'PUBLIC_URL' | 'WEBHOOK_BASE_URL' | 'RECONCILE_MS'>;
  log: Pick<Logger, 'error'>;
  /** Called once every change of the list up to now is known. */
  onChangesRead?: () => void;
}
