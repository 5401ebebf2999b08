/**
 * Brings all databases up to date: creates missing ones and runs the pending migrations. Can be repeated and run concurrently.
 * Reads PG_ADMIN_URL, DATABASE_OWNER_PASSWORD, DATABASE_SERVICE_PASSWORD; prints JSON:
 * { urls: { IDENTITY_DATABASE_URL: … }, applied: ['identity/0001_….sql', …] }.
 */
import { migrate, provision } from '@tandem/db';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { requiredVariable } from './command-line';

const services = ['identity', 'tickets', 'notifications', 'integrations', 'analytics'] as const;

async function main(): Promise<void> {
  const root = rootFrom(__dirname);
  const passwords = { owner: requiredVariable('DATABASE_OWNER_PASSWORD'), service: requiredVariable('DATABASE_SERVICE_PASSWORD') };
  const done = await Promise.all(
    services.map(async (service) => {
      const { ownerUrl, url } = await provision(requiredVariable('PG_ADMIN_URL'), service, passwords);
      const options = {
        url: ownerUrl,
        folder: join(root, 'services', service, 'migrations'),
        platformFolder: join(root, 'libs', 'db', 'migrations'),
      };
      const applied = (await migrate(options)).map((name) => `${service}/${name}`);
      return { variable: `${service.toUpperCase()}_DATABASE_URL`, url, applied };
    }),
  );
  const urls = Object.fromEntries(done.map(({ variable, url }) => [variable, url]));
  console.log(JSON.stringify({ ...(process.argv.includes('--quiet') ? {} : { urls }), applied: done.flatMap(({ applied }) => applied) }));
}

/** The directory that holds libs/ and services/, in a clone as in an image. */
function rootFrom(directory: string): string {
  for (let root = directory; ; root = dirname(root)) {
    if (existsSync(join(root, 'libs', 'db', 'migrations'))) return root;
    if (dirname(root) === root) throw new Error(`no libs/db/migrations above ${directory}`);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
