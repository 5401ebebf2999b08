import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from './log';

/** Injectable: whether the process is on its way out. What answers without end (live events) ends on `signal`. */
export class Drain {
  readonly #controller = new AbortController();

  /** Aborted when the draining starts. */
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

/** How many requests are being answered, and an order to leave on each answer once the draining has begun. */
export function countRequests(fastify: FastifyInstance, drain: Drain): () => number {
  let underWay = 0;
  fastify.addHook('onRequest', (_request, reply, done) => {
    underWay += 1;
    // 'close' comes once for each request, also when the client went away before the answer.
    reply.raw.once('close', () => (underWay -= 1));
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (drain.started) void reply.header('connection', 'close');
    done();
  });
  return () => underWay;
}

const openConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

const stepMs = 20;
const quietMs = 500;

/**
 * Lets a process leave without cutting a request. First it still answers everything, marked not ready, each answer with
 * `Connection: close`, so that balancers turn away and busy connections end by themselves; then it stops listening, closes
 * idle connections and waits for the requests under way. Nest's own shutdown hooks close the database while requests run,
 * and Fastify's close answers 503 on connections that are still open: hence this, before `app.close()`.
 */
export async function drainConnections(
  fastify: FastifyInstance,
  options: { drain: Drain; underWay: () => number; noticeMs: number; graceMs: number; log: Logger },
): Promise<void> {
  const { drain, underWay, noticeMs, graceMs, log } = options;
  const { server } = fastify;
  drain.begin();
  await sleep(noticeMs);
  server.close(); // stops listening and closes idle connections; the rest keep being answered
  const until = Date.now() + graceMs;
  let lastBusy = Date.now();
  // A connection that was opened ahead and never asked anything is not idle to Node: quiet for a while ends the wait too.
  while (Date.now() < Math.min(until, lastBusy + quietMs)) {
    if (underWay() > 0) lastBusy = Date.now();
    else {
      server.closeIdleConnections();
      if ((await openConnections(server)) === 0) return;
    }
    await sleep(stepMs);
  }
  if (underWay() > 0) log.warn({ requests: underWay(), grace_ms: graceMs }, 'requests cut: they outlived the grace period');
  server.closeAllConnections();
}
