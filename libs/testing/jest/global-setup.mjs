import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Starts PostgreSQL, NATS, Redis and the mail catcher for this run, in a separate directory, so that runs can be concurrent. Jest
 * calls it only when the run includes a test that needs them. Tests get the addresses from `testServers()`.
 */
export default async function startServers() {
  // Imported by Node itself, which runs TypeScript: the starter is an ES module that locates files relative to itself.
  const { startInfrastructure } = await import('../../../deploy/local/infrastructure.ts');
  const run = randomBytes(4).toString('hex');
  const directory = join(tmpdir(), 'tandem-tests', run);
  const log = process.env.TESTS_LOG === undefined ? () => undefined : (line) => process.stderr.write(`${line}\n`);
  const infrastructure = await startInfrastructure({ directory, ephemeral: true, log });
  globalThis[Symbol.for('tandem.testing.infrastructure')] = infrastructure;
  const { PG_ADMIN_URL, ...others } = infrastructure.env;
  if (process.env.TESTS_USE_PGBOUNCER) await usePgBouncer(PG_ADMIN_URL);
  Object.assign(process.env, others, { TEST_PG_ADMIN_URL: PG_ADMIN_URL, TEST_RUN: run });
}

/** Services then reach their databases through PgBouncer; migrations and the tests themselves do not. */
async function usePgBouncer(postgres) {
  const { startPgBouncer } = await import('../../../deploy/local/pgbouncer.ts');
  const pgBouncer = await startPgBouncer({ postgres, passwords: servicePasswords(), poolSize: 10 });
  globalThis[Symbol.for('tandem.testing.pgbouncer')] = pgBouncer;
  process.env.TEST_PGBOUNCER_PORT = String(pgBouncer.port);
}

/** As in libs/testing/src/database.ts. */
const servicePasswords = () =>
  Object.fromEntries(
    ['identity', 'tickets', 'notifications', 'integrations', 'analytics'].map((name) => [`tandem_${name}`, 'service-of-tests']),
  );
