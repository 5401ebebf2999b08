import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startInfrastructure, type Infrastructure, type InfrastructureEnv } from '../local/infrastructure.ts';
import { untilPasses } from './ticketing.ts';

/** Settings of a primary that has a standby. */
export const replicationSettings = ['wal_level=replica', 'max_wal_senders=4', 'full_page_writes=on', 'max_wal_size=64MB'];

async function withAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * A second PostgreSQL that replicates the first one. The embedded package has no pg_basebackup, so this makes the base backup with the same
 * commands to the server.
 */
export class Standby {
  private constructor(private readonly infrastructure: Infrastructure) {}

  /**
   * `primary` is its URL without proxies, `home` the directory above its files, and `others` the addresses of the other servers. Commits wait
   * for the standby from then on.
   */
  static async start(
    { primary, home, others }: { primary: string; home: string; others: InfrastructureEnv },
    directory: string,
  ): Promise<Standby> {
    const { username, password, port } = new URL(primary);
    const copy = join(directory, 'postgres');
    mkdirSync(directory, { recursive: true, mode: 0o755 });
    await withAdmin(primary, async (client) => {
      await client.query(`select pg_create_physical_replication_slot('standby', true)`);
      await client.query(`select pg_backup_start('standby', fast => true)`);
      execFileSync('cp', ['-a', join(home, 'postgres'), copy]);
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
      writeFileSync(join(copy, 'backup_label'), rows[0]!.labelfile);
    });
    rmSync(join(copy, 'postmaster.pid'));
    writeFileSync(join(copy, 'standby.signal'), '');
    // PostgreSQL removes these two when it has read them.
    const { uid, gid } = statSync(copy);
    for (const file of ['backup_label', 'standby.signal']) chownSync(join(copy, file), uid, gid);
    const connection = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`;
    appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${connection}'\nprimary_slot_name = 'standby'\n`);
    const infrastructure = await startInfrastructure({
      directory: `${directory}-instance`,
      ephemeral: true,
      log: () => undefined,
      addresses: { ...others, PG_ADMIN_URL: undefined },
      postgres: { home: directory, password, settings: replicationSettings },
    });
    await withAdmin(primary, async (client) => {
      await client.query(`alter system set synchronous_standby_names = 'standby'`);
      await client.query('select pg_reload_conf()');
      await untilPasses(async () => {
        const { rows } = await client.query('select state, sync_state from pg_stat_replication');
        expect(rows).toEqual([{ state: 'streaming', sync_state: 'sync' }]);
      }, 60);
    });
    return new Standby(infrastructure);
  }

  get url(): string {
    return this.infrastructure.env.PG_ADMIN_URL;
  }

  /** Makes it the primary; its own commits wait for no other server. */
  promote(): Promise<void> {
    return withAdmin(this.url, async (client) => {
      await client.query(`select pg_promote()`);
      await client.query(`alter system reset synchronous_standby_names`);
      await client.query('select pg_reload_conf()');
    });
  }

  stop(): Promise<void> {
    return this.infrastructure.stop();
  }
}
