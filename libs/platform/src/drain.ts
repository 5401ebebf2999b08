import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from './log';

/** Injectable: whether the process is shutting down. Responses without an end (live events) end on `signal`. */
export class Drain {
  readonly #controller = new AbortController();

  /** Aborted when draining starts. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }
  get started(): boolean {
    return this.signal.aborted;
  }
  begin(): void {
    this.#controller.abort();
  }
}

/** Returns a function that counts the running requests; once draining has started, each response gets `Connection: close`. */
export function countRequests(fastify: FastifyInstance, drain: Drain): () => number {
  const underWay = new Set<FastifyReply>();
  const closeConnection = (reply: FastifyReply) => {
    if (!reply.raw.headersSent) reply.raw.setHeader('connection', 'close');
  };
  fastify.addHook('onRequest', (_request, reply, done) => {
    underWay.add(reply);
    // 'close' is emitted once for each request, even if the client disconnected before the response.
    reply.raw.once('close', () => underWay.delete(reply));
    if (drain.started) closeConnection(reply);
    done();
  });
  drain.signal.addEventListener('abort', () => underWay.forEach(closeConnection), { once: true });
  return () => underWay.size;
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

const stepMs = 20;
const quietMs = 500;

/**
 * Stops a process without aborting requests. First it still handles all requests but reports not ready, and sends
 * `Connection: close` on each response, so that load balancers and busy clients move on; then it stops listening, closes
 * idle connections and waits for the running requests. Nest's own shutdown hooks close the database while requests run,
 * and Fastify's close sends 503 on connections that are still open, so this must run before `app.close()`.
 */
export async function drainConnections(
  fastify: FastifyInstance,
  options: { drain: Drain; underWay: () => number; noticeMs: number; graceMs: number; log: Logger },
): Promise<void> {
  const { drain, underWay, noticeMs, graceMs, log } = options;
  const { server } = fastify;
  drain.begin();
  await sleep(noticeMs);
  server.close(); // stops listening and closes idle connections; the others still get responses
  const until = Date.now() + graceMs;
  let lastBusy = Date.now();
  // Node does not count a connection as idle that never sent a request, so a quiet period ends the wait too.
  while (Date.now() < Math.min(until, lastBusy + quietMs)) {
    if (underWay() > 0) lastBusy = Date.now();
    else {
      server.closeIdleConnections();
      if ((await openConnections(server)) === 0) return;
    }
    await sleep(stepMs);
  }
  if (underWay() > 0) log.warn({ requests: underWay(), grace_ms: graceMs }, 'Aborted requests that outlived the grace period');
  server.closeAllConnections();
}
