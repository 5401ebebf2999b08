import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain';

/** A dependency of the process: `check` throws when it is down. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
  /** False: without it the process still serves requests and catches up on the rest later, so it must stay in service. */
  essential?: boolean;
  /** The check fails after this time; default 2 s. Must be shorter than a probe's own timeout if the check is not essential. */
  timeoutMs?: number;
}

export interface Readiness {
  /** `degraded`: something that is not essential is down; the process still serves requests. */
  status: 'ok' | 'degraded' | 'down' | 'draining';
  checks: Record<string, 'ok' | 'down'>;
}

const checkTimeoutMs = 2000;

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

/** Runs all checks at once. Concurrent callers share the result, because the endpoint is public. */
export function readiness(checks: ReadinessCheck[], drain: Drain): () => Promise<Readiness> {
  let running: Promise<Readiness> | undefined;
  const ask = async (): Promise<Readiness> => {
    const results = await Promise.all(checks.map(async (check) => ({ ...check, result: await passes(check) })));
    const away = results.filter(({ result }) => result === 'down');
    const status = away.length === 0 ? 'ok' : away.some(({ essential }) => essential !== false) ? 'down' : 'degraded';
    return { status: drain.started ? 'draining' : status, checks: Object.fromEntries(results.map(({ name, result }) => [name, result])) };
  };
  return () => {
    running ??= ask().finally(() => (running = undefined));
    return running;
  };
}

/** `GET /health/live`: the process responds. `GET /health/ready`: ready to serve; 503 while an essential check fails or it drains. */
export function healthRoutes(fastify: FastifyInstance, ready: () => Promise<Readiness>): void {
  fastify.get('/health/live', async () => ({ status: 'ok' }));
  fastify.get('/health/ready', async (_request, reply) => {
    const answer = await ready();
    return reply
      .status(answer.status === 'ok' || answer.status === 'degraded' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer);
  });
}
