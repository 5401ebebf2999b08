import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { testServers } from '@tandem/testing';
import { sql } from 'kysely';
import { Database, DatabaseUnavailable } from './index';

/** PostgreSQL's message 'Terminate', which a client sends before it closes its connection. */
const terminate = Buffer.from([0x58, 0, 0, 0, 4]);

/** A proxy to a server that fails, without a sign to its clients, before it receives the first message for which `isFirstLost` is true. */
async function failingAtFirst(isFirstLost: (message: Buffer) => boolean, address: string) {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let hasFailed = false;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    const onward = connect(Number(target.port), target.hostname);
    onward.pipe(socket).on('error', () => onward.destroy());
    socket.on('close', () => onward.destroy());
    socket.on('data', (chunk) => {
      if (hasFailed || !isFirstLost(chunk)) return void onward.write(chunk);
      hasFailed = true;
      onward.unpipe(socket).destroy();
    });
    socket.on('end', () => onward.destroyed || onward.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(address);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: url.href, hasFailed: () => hasFailed, close };
}

it('does not wait for a server that fails while a probe ends its connection', async () => {
  const proxy = await failingAtFirst((message) => message.equals(terminate), testServers().pgAdminUrl);
  const db = new Database({ url: proxy.url });
  // Longer than a connection must be in use before the pool looks for other servers.
  await db.asSystem('a slow query', (tx) => sql`select pg_sleep(4)`.execute(tx));
  expect(proxy.hasFailed()).toBe(true);
  await db.close();
  await proxy.close();
});

it('does not wait for a server that fails before a new connection has found out which server it is', async () => {
  const proxy = await failingAtFirst((message) => message.includes('pg_postmaster_start_time'), testServers().pgAdminUrl);
  // A query may take an hour: only the watch can end it before the test times out.
  const db = new Database({ url: proxy.url, statementTimeoutMs: 3_600_000, onError: () => undefined });
  await expect(db.asSystem('a lost query', (tx) => sql`select 1`.execute(tx))).rejects.toThrow(DatabaseUnavailable);
  expect(proxy.hasFailed()).toBe(true);
  await db.close();
  await proxy.close();
});
