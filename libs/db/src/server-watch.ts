import pg from 'pg';

/** Each server process group has another start time: also a standby that was promoted, and a server that was restarted. */
const identitySql = `select pg_postmaster_start_time()::text as started, pg_is_in_recovery() as is_standby`;
interface Identity {
  started: string;
  is_standby: boolean;
}

const checkMs = 1_000;
/** A connection that is in use for longer is suspected. Few statements take that long. */
const suspectAfterMs = 2_000;
const probeTimeoutMs = 2_000;
/** As long as a caller waits for a new connection. */
const identifyTimeoutMs = 5_000;

/**
 * Closes the connections to a server that the address no longer points to. After a failover, a failed host does not answer and sends
 * no reset: a query on a connection to it would wait for its timeout, and so would the next one on each idle connection. So while a
 * connection is in use for a long time, this opens another one, and compares the servers.
 */
export class ServerWatch {
  readonly #servers = new Map<pg.PoolClient, string | undefined>();
  readonly #inUseSince = new Map<pg.PoolClient, number>();
  /** Number of connections that were opened so far. */
  #opened = 0;
  /** The primary that the address points to, as far as known, and the number of the connection that found it. */
  #current: string | undefined;
  #currentSince = 0;
  #timer: NodeJS.Timeout | undefined;
  #probing: Promise<void> | undefined;

  constructor(
    pool: pg.Pool,
    private readonly options: pg.ClientConfig,
  ) {
    pool.on('connect', (client) => this.#identify(client));
    pool.on('acquire', (client) => {
      this.#inUseSince.set(client, performance.now());
      this.#timer ??= setInterval(() => this.#check(), checkMs).unref();
    });
    pool.on('release', (_error, client) => this.#inUseSince.delete(client));
    pool.on('remove', (client) => {
      this.#servers.delete(client);
      this.#inUseSince.delete(client);
    });
  }

  /** Ends a running probe. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#probing;
  }

  #identify(client: pg.PoolClient): void {
    const opened = ++this.#opened;
    this.#servers.set(client, undefined);
    const query = { text: identitySql, query_timeout: identifyTimeoutMs };
    client.query<Identity>(query).then(
      ({ rows }) => {
        if (!this.#servers.has(client)) return;
        const { started, is_standby } = rows[0]!;
        this.#servers.set(client, started);
        if (is_standby) return;
        // The response of an older connection may arrive after that of a newer one, to the server that the address points to by now.
        if (opened < this.#currentSince && started !== this.#current) destroy(client);
        else this.#found(started, opened);
      },
      // The connection was lost, or its server failed before it could be compared with others.
      () => destroy(client),
    );
  }

  #check(): void {
    if (this.#inUseSince.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    const now = performance.now();
    const isSuspected = [...this.#inUseSince.values()].some((since) => now - since > suspectAfterMs);
    if (isSuspected) this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
  }

  async #probe(): Promise<void> {
    const client = new pg.Client({ ...this.options, connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Identity>(identitySql);
      const { started, is_standby } = rows[0]!;
      if (!is_standby) this.#found(started, this.#opened);
    } catch {
      // The server is down, which says nothing about connections to another one.
    } finally {
      const ended = client.end().catch(() => undefined);
      // A server that fails in this moment would never close its end.
      destroy(client);
      await ended;
    }
  }

  #found(server: string, since: number): void {
    this.#currentSince = Math.max(this.#currentSince, since);
    if (this.#current === server) return;
    this.#current = server;
    for (const [client, its] of this.#servers) if (its !== undefined && its !== server) destroy(client);
  }
}

/**
 * Without pg's terminate message, which would wait like everything else that is sent to the server. Running queries fail, and the pool
 * removes the client.
 */
function destroy(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}
