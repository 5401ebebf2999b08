import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseUnavailable, type Database } from '@tandem/db';
import type { Logger, Secrets } from '@tandem/platform';
import { sql } from 'kysely';

interface MissingKey {
  key_id: string;
  /** For example `mailboxes.sealed_password`. */
  column: string;
}

/** The keys that sealed values of the service need and that are not configured. Columns with sealed values begin with `sealed_`. */
export async function findMissingKeys(db: Database, secrets: Secrets): Promise<MissingKey[]> {
  return db.asSystem('ids of the encryption keys in use', async (tx) => {
    const columns = await sql<{ table: string; name: string }>`
      select c.relname as "table", a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname like 'sealed\\_%' and not a.attisdropped
      order by 1, 2`.execute(tx);
    const used = await Promise.all(
      columns.rows.map(async ({ table, name }) => {
        const { rows } = await sql<{ key_id: string }>`
          select distinct split_part(${sql.ref(name)}, '.', 1) as key_id from ${sql.table(table)} where ${sql.ref(name)} <> ''`.execute(tx);
        return rows.map(({ key_id }) => ({ key_id, column: `${table}.${name}` }));
      }),
    );
    return used.flat().filter(({ key_id }) => !secrets.hasKey(key_id));
  });
}

/** How long a start waits for the database. It then continues, because a service must start even if its database is down. */
const maxStartMs = 2_000;

/** Compares the keys of stored secrets with ENCRYPTION_KEYS, once. The process is not ready before that. */
export class KeyCheck {
  #running: Promise<void> | undefined;

  constructor(
    private readonly db: Database,
    private readonly secrets: Secrets,
    private readonly log: Logger,
  ) {}

  /** @throws {Error} if a key is missing. Continues without a result if the database does not respond. */
  async atStart(): Promise<void> {
    const late = new AbortController();
    const timeout = sleep(maxStartMs, 'late', { signal: late.signal }).catch(() => undefined);
    try {
      if ((await Promise.race([this.passed(), timeout])) === 'late') this.#warn();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error;
      this.#warn();
    } finally {
      late.abort();
    }
  }

  /** Resolves when all keys are known to be configured. Callers share one comparison; after a failure the next call repeats it. */
  passed(): Promise<void> {
    this.#running ??= this.#compare().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #compare(): Promise<void> {
    const [first] = await findMissingKeys(this.db, this.secrets);
    if (first === undefined) return;
    // Users would find out one by one, and by then the key may be lost.
    const error = new Error(
      `${first.column} has values that are sealed with the key ${first.key_id}, which ENCRYPTION_KEYS does not contain: add it again, and run 'tandem keys reseal' before you remove it`,
    );
    this.log.error({ err: error }, 'An encryption key is missing');
    throw error;
  }

  #warn(): void {
    this.log.warn('The database did not respond: not ready until the keys of stored secrets have been compared with ENCRYPTION_KEYS');
  }
}
