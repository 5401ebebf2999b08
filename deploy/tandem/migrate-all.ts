import { compareMigrations, migrate, provision, type MigrationDifference } from '@tandem/db';
import type { ServiceName } from '@tandem/contracts';
import { adminUrl, databaseInUse, migrationFolders, required, services } from './installation';

export interface Migrated {
  /** IDENTITY_DATABASE_URL and so on. They contain passwords. */
  urls: Record<string, string>;
  /** `identity/0001_….sql`. */
  applied: string[];
}

/** Creates missing databases and roles, and runs the pending migrations. Can be repeated and run concurrently. */
export async function migrateAll(databaseOf: (service: ServiceName) => string): Promise<Migrated> {
  const passwords = { owner: required('DATABASE_OWNER_PASSWORD'), service: required('DATABASE_SERVICE_PASSWORD') };
  const done = await Promise.all(
    services.map(async (service) => {
      const { ownerUrl, url } = await provision(required('PG_ADMIN_URL'), service, passwords, { database: databaseOf(service) });
      const applied = (await migrate({ url: ownerUrl, ...migrationFolders(service) })).map((name) => `${service}/${name}`);
      return { variable: `${service.toUpperCase()}_DATABASE_URL`, url, applied };
    }),
  );
  return {
    urls: Object.fromEntries(done.map(({ variable, url }) => [variable, url])),
    applied: done.flatMap(({ applied }) => applied),
  };
}

/** How each database differs from this version, without changing it. */
export async function compareAll(): Promise<Record<string, MigrationDifference>> {
  const compare = async (service: ServiceName) =>
    [service, await compareMigrations({ url: adminUrl(databaseInUse(service)), ...migrationFolders(service) })] as const;
  return Object.fromEntries(await Promise.all(services.map(compare)));
}
