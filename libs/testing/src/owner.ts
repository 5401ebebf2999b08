import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import pg from 'pg';
import { testServers } from './servers';

/** Runs a query in the database of this URL as the owner of the server, whom row-level security does not restrict. */
export async function queryAsOwner<Row extends object>(databaseUrl: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const url = new URL(testServers().pgAdminUrl);
  url.pathname = new URL(databaseUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

/** After how many days a stream deletes its messages. */
export async function maxAgeDays(stream: string): Promise<number> {
  const url = new URL(testServers().natsUrl);
  const connection = await connect({
    servers: url.host,
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  });
  try {
    const { config } = await (await jetstreamManager(connection)).streams.info(stream);
    return config.max_age / 86_400_000_000_000;
  } finally {
    await connection.close();
  }
}
