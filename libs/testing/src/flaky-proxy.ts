import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a server that a test can interrupt and restore: an outage for this test only, while other tests use the same server. */
export async function startFlakyProxy(address: string) {
  let target = new URL(address);
  const sockets = new Set<Socket>();
  let intact = true;
  const server = createServer((socket) => {
    if (!intact) return void socket.destroy();
    const onward = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(address);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = () => {
    intact = false;
    for (const socket of sockets) socket.destroy();
  };
  // The other ends notice nothing: a failed host neither answers nor resets its connections.
  const silence = () => {
    for (const socket of sockets) {
      socket.unpipe();
      socket.resume();
      socket.removeAllListeners('close').removeAllListeners('error');
      socket.on('error', () => undefined);
    }
  };
  return {
    url: url.href,
    cut,
    restore: () => {
      intact = true;
    },
    /** The host has failed: new connections are refused, and the existing ones stay open without an answer. */
    vanish: () => {
      intact = false;
      silence();
    },
    /** From now on, the address points to another server. */
    moveTo: (other: string) => {
      target = new URL(other);
      intact = true;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
