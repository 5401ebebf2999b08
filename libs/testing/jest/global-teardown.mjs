import pg from 'pg';

/** Drops this run's databases, which matters if the run used an existing server, and stops the servers that the run started. */
export default async function stopServers() {
  const infrastructure = globalThis[Symbol.for('tandem.testing.infrastructure')];
  if (!infrastructure) return;
  try {
    await globalThis[Symbol.for('tandem.testing.pgbouncer')]?.stop();
    await dropDatabases(process.env.TEST_PG_ADMIN_URL, `tandem_test_${process.env.TEST_RUN}_`);
  } finally {
    await infrastructure.stop();
  }
}

async function dropDatabases(adminUrl, prefix) {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database if exists ${pg.escapeIdentifier(datname)} with (force)`);
  } finally {
    await client.end();
  }
}
