import pg from 'pg';

/** Access to the services' databases that bypasses all policies. */
export class Databases {
  readonly #adminUrl: () => string;
  readonly #pools = new Map<string, pg.Pool>();

  /** `adminUrl` may change until the servers have started. */
  constructor(adminUrl: () => string) {
    this.#adminUrl = adminUrl;
  }

  /** A separate connection; the caller closes it. */
  async connect(service: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#addressOf(service) });
    await client.connect();
    return client;
  }

  /** Over connections that stay open: tests poll, and a new connection takes more CPU time than the query. */
  async rows<Row>(service: string, query: string, values: unknown[]): Promise<Row[]> {
    let pool = this.#pools.get(service);
    if (!pool) {
      pool = new pg.Pool({ connectionString: this.#addressOf(service), max: 8 });
      pool.on('error', () => undefined); // PostgreSQL was killed; the pool connects again
      this.#pools.set(service, pool);
    }
    return (await pool.query(query, values)).rows as Row[];
  }

  /** Closes all connections of `rows`; the next call opens new ones. */
  async disconnect(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.end()));
  }

  #addressOf(service: string): string {
    const url = new URL(this.#adminUrl());
    url.pathname = `/tandem_${service}`;
    return url.href;
  }
}
