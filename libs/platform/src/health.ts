import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { contextHeader } from './context';
import type { Drain } from './drain';
import { hasForeignContext } from './request';

/** A dependency of the process: `check` throws when it is down. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
  /** False: without it the process still serves requests and catches up on the rest later, so it must stay in service. */
  essential?: boolean;
  /** The check fails after this time; default 2 s. */
  timeoutMs?: number;
}

export interface Readiness {
  /** `degraded`: something that is not essential is down; the process still serves requests. */
  status: 'ok' | 'degraded' | 'down' | 'draining';
  checks: Record<string, 'ok' | 'down'>;
}

const checkTimeoutMs = 2000;
/**
 * How long a response waits for the checks before it returns the previous results. A dependency that hangs must not delay it:
 * Kubernetes fails a probe after one second by default, which would remove all replicas from service.
 */
const maxWaitMs = 25;
/** Results that are older are not returned. They are updated by requests only. */
const maxAgeMs = 60_000;

async function passes(check: ReadinessCheck): Promise<'ok' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(resolve, check.timeoutMs ?? checkTimeoutMs, 'down');
  });
  // The response only contains which check failed; the owner of the connection logs the cause.
  const result = await Promise.race([
    Promise.resolve()
      .then(() => check.check())
      .then(
        () => 'ok' as const,
        () => 'down' as const,
      ),
    late,
  ]);
  clearTimeout(timer);
  return result;
}

/**
 * Runs all checks at once and returns their results; if they take longer than 25 ms, the previous ones. Concurrent callers share one run,
 * because the endpoint is public.
 */
export function readiness(checks: ReadinessCheck[], drain: Drain): () => Promise<Readiness> {
  type Results = { name: string; essential?: boolean; result: 'ok' | 'down' }[];
  let running: Promise<Results> | undefined;
  let last: { results: Results; at: number } | undefined;
  const run = async (): Promise<Results> => {
    const results = await Promise.all(checks.map(async (check) => ({ ...check, result: await passes(check) })));
    last = { results, at: performance.now() };
    running = undefined;
    return results;
  };
  return async () => {
    running ??= run();
    const known = last && performance.now() - last.at < maxAgeMs ? last.results : undefined;
    const results = known ? await Promise.race([running, sleep(maxWaitMs, known, { ref: false })]) : await running;
    const down = results.filter(({ result }) => result === 'down');
    const status = down.length === 0 ? 'ok' : down.some(({ essential }) => essential !== false) ? 'down' : 'degraded';
    return { status: drain.started ? 'draining' : status, checks: Object.fromEntries(results.map(({ name, result }) => [name, result])) };
  };
}

/**
 * Adds a check for callers that send a signed context (the gateway): whether this process can verify it. Other callers get
 * no such check, so that a request from elsewhere cannot make the process look down.
 */
function withContext(answer: Readiness, request: IncomingMessage, secrets: readonly string[]): Readiness {
  if (request.headers[contextHeader] === undefined) return answer;
  const isForeign = hasForeignContext(request, secrets);
  return { status: isForeign ? 'down' : answer.status, checks: { ...answer.checks, context: isForeign ? 'down' : 'ok' } };
}

/**
 * `GET /health/live`: the process responds. `GET /health/ready`: ready to serve; 503 while an essential check fails, it drains, or it cannot
 * verify the caller's context.
 */
export function healthRoutes(fastify: FastifyInstance, ready: () => Promise<Readiness>, secrets: readonly string[]): void {
  fastify.get('/health/live', async () => ({ status: 'ok' }));
  fastify.get('/health/ready', async (request, reply) => {
    const answer = withContext(await ready(), request.raw, secrets);
    return reply
      .status(answer.status === 'ok' || answer.status === 'degraded' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer);
  });
}
