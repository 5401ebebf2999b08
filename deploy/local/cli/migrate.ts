/**
 * Brings all databases up to date: creates missing ones and runs the pending migrations. Can be repeated and run concurrently.
 * Reads PG_ADMIN_URL, DATABASE_OWNER_PASSWORD, DATABASE_SERVICE_PASSWORD; prints JSON:
 * { urls: { IDENTITY_DATABASE_URL: … }, applied: ['identity/0001_….sql', …] }.
 */
import { databaseOf } from '../../tandem/installation';
import { migrateAll } from '../../tandem/migrate-all';

async function main(): Promise<void> {
  const { urls, applied } = await migrateAll(databaseOf);
  console.log(JSON.stringify({ ...(process.argv.includes('--quiet') ? {} : { urls }), applied }));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
