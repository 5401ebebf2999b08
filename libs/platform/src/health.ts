import type { FastifyInstance } from 'fastify';
import type { Drain } from './drain';

/** Something that the process works with: `check` throws when it is away. */
export interface ReadinessCheck {
  name: string;
  check(): Promise<void>;
  /** False: without it the process still answers, and what it owes is made up for later. Taking it out of service would help nobody. */
  essential?: boolean;
  /** Counts as down after this time; 2 s unless set. Shorter than a probe's own timeout where the check is not essential. */
  timeoutMs?: number;
}

export interface Readiness {
  /** `degraded`: something that is not essential is away; the process goes on answering. */
  status: 'ok' | 'degraded' | 'down' | 'draining';
  checks: Record<string, 'ok' | 'down'>;
}

const checkTimeoutMs = 2000;

async function passes(check: ReadinessCheck): Promise<'ok' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(resolve, check.timeoutMs ?? checkTimeoutMs, 'down');
  });
  // Which check failed is the answer; why is in the log of whoever owns the connection.
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

/** Asks all checks at once. Callers that come while it runs share the answer: the probe is open to everybody. */
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

/** `GET /health/live`: the process answers. `GET /health/ready`: it can answer; 503 while something essential is away or it drains. */
export function healthRoutes(fastify: FastifyInstance, checks: ReadinessCheck[], drain: Drain): void {
  const ready = readiness(checks, drain);
  fastify.get('/health/live', async () => ({ status: 'ok' }));
  fastify.get('/health/ready', async (_request, reply) => {
    const answer = await ready();
    return reply
      .status(answer.status === 'ok' || answer.status === 'degraded' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer);
  });
}
