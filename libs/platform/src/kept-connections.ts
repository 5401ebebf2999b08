import type { Client } from 'undici';

/** A connection of `safeFetch`, for one call at a time. */
export interface Connection {
  client: Client;
  /** The IP address of the server; undefined while it is not connected. */
  address: string | undefined;
  onClose: () => void;
}

/**
 * Connections that stay open for a moment after a call, for the next one. A call passes the addresses that it has just checked, and gets a
 * connection only if it leads to one of them: an open connection does not replace the check. Callers that must not affect each other use
 * different owners.
 */
export class KeptConnections {
  readonly #idle = new Map<string, Connection[]>();

  /** A connection that no other call uses. `addresses`: undefined if any address is acceptable. */
  take(key: string, addresses: string[] | undefined): Connection | undefined {
    const found = this.#idle
      .get(key)
      ?.find(({ address }) => address !== undefined && (addresses === undefined || addresses.includes(address)));
    if (found) this.#remove(key, found);
    return found;
  }

  /** Offers a connection whose call has ended, until it is closed. */
  put(key: string, connection: Connection): void {
    if (connection.address === undefined) return;
    this.#idle.set(key, [...(this.#idle.get(key) ?? []), connection]);
    connection.onClose = () => this.#remove(key, connection);
  }

  #remove(key: string, connection: Connection): void {
    const others = this.#idle.get(key)?.filter((each) => each !== connection) ?? [];
    if (others.length > 0) this.#idle.set(key, others);
    else this.#idle.delete(key);
  }
}
