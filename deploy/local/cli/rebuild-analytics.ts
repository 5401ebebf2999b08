/**
 * Computes the figures of organizations again: `rebuild-analytics <organization id | all> [--from-tickets]`. With `--from-tickets` the
 * tickets service first sends all tickets again. The running services do the work. Reads ANALYTICS_DATABASE_URL.
 */
import { rebuildDays, rebuildFromTickets } from '@tandem/analytics/src/rebuild/rebuild';
import type { AnalyticsSchema } from '@tandem/analytics/src/schema';
import { Id, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { requiredVariable, runCommand } from './command-line';

const usage = 'usage: rebuild-analytics <organization id | all> [--from-tickets]';

async function main(args: string[]): Promise<void> {
  const [which, option, ...rest] = args;
  const isOption = option === undefined || option === '--from-tickets';
  if (which === undefined || rest.length > 0 || !isOption || !(which === 'all' || Id.safeParse(which).success)) throw new Error(usage);
  const db = new Database<AnalyticsSchema>({
    url: requiredVariable('ANALYTICS_DATABASE_URL'),
    max: 2,
    applicationName: 'tandem-rebuild-analytics',
  });
  try {
    const organizations = which === 'all' ? await findOrganizations(db) : [which];
    for (const organization_id of organizations) {
      const ctx = systemContext(organization_id, 'rebuild-analytics');
      await db.forTenant(ctx, (tx) => (option ? rebuildFromTickets(tx, ctx) : rebuildDays(tx, organization_id)));
    }
    console.log(`${organizations.length} marked; the services begin within a minute`);
  } finally {
    await db.close();
  }
}

async function findOrganizations(db: Database<AnalyticsSchema>): Promise<string[]> {
  const rows = await db.asSystem('all organizations', (tx) => tx.selectFrom('organizations').select('organization_id').execute());
  return rows.map(({ organization_id }) => organization_id);
}

runCommand(main);
