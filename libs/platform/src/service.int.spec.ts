import { connect } from 'node:net';
import type { Problem } from '@tandem/contracts';
import type { FastifyRequest } from 'fastify';
import { closeAll, start } from '../test/sample-service';
import { contextHeader, requestIdHeader, signContext } from './context';
import { agentContext, goodEnv } from '../test/fixtures';
import { keepBodiesRaw } from './service';

afterAll(closeAll);

/** Sends raw text over a socket and returns the response, for requests that no HTTP client can send. */
function rawExchange(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('bad input', () => {
  let url: string;
  beforeAll(async () => {
    ({ url } = await start());
  });
  const post = (body: string | Buffer, type: string | null = 'application/json') =>
    fetch(`${url}/things`, {
      method: 'POST',
      body: new Uint8Array(Buffer.from(body)),
      headers: type === null ? {} : { 'content-type': type },
    });

  async function expectProblem(answer: Response, status: number, code: string): Promise<Problem> {
    const problem = (await answer.json()) as Problem;
    expect(problem).toMatchObject({
      success: false,
      status,
      code,
      request_id: answer.headers.get('x-request-id'),
      title: expect.any(String) as unknown,
    });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.stringify(problem)).not.toMatch(/node_modules|\.ts:|at .*\(/);
    return problem;
  }

  it.each([
    ['half of a JSON text', '{"name": "x', 'application/json', 400, 'request.malformed'],
    ['an empty JSON body', '', 'application/json', 400, 'request.malformed'],
    ['a poisoned prototype', '{"__proto__": {"admin": true}, "name": "x"}', 'application/json', 400, 'request.malformed'],
    ['JSON nested 100,000 levels deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'application/json', 422, 'request.invalid'],
    ['more than 1 MiB', `{"name":"${'x'.repeat(1_048_576)}"}`, 'application/json', 413, 'request.too_large'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 415, 'request.unsupported_media_type'],
    ['plain text, which browsers send across sites', '{"name":"x"}', 'text/plain', 415, 'request.unsupported_media_type'],
    ['no media type', '{"name":"x"}', null, 415, 'request.unsupported_media_type'],
    ['a wrong type', '{"name": 5}', 'application/json', 422, 'request.invalid'],
    ['an unknown member', '{"name": "x", "role": "admin"}', 'application/json', 422, 'request.invalid'],
    ['null', 'null', 'application/json', 422, 'request.invalid'],
  ])('answers %s with a problem', async (_what, body, type, status, code) => {
    await expectProblem(await post(body, type), status, code);
  });

  it('names the fields that are wrong', async () => {
    const problem = await expectProblem(await post('{"name": "this name is far too long"}'), 422, 'request.invalid');
    expect(problem.errors).toEqual([{ path: 'name', code: 'too_big', message: expect.any(String) as unknown }]);
  });

  it('answers an unknown path with 404 and an invalid one with 400', async () => {
    await expectProblem(await fetch(`${url}/nowhere`), 404, 'route.not_found');
    await expectProblem(await fetch(`${url}/things/%E0%A4%A`), 400, 'request.malformed');
    await expectProblem(await fetch(`${url}/things/${'x'.repeat(2000)}`), 400, 'request.malformed');
  });

  it('answers a wrong method with 405 and the allowed methods', async () => {
    const answer = await fetch(`${url}/things/5?a=b`, { method: 'DELETE' });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    await expectProblem(answer, 405, 'method.not_allowed');
  });

  it('preserves Retry-After, answers 503 if a server is down, and reveals nothing about a bug', async () => {
    const known = await fetch(`${url}/fails/known`);
    expect(known.headers.get('retry-after')).toBe('9');
    await expectProblem(known, 429, 'limit.exceeded');
    const away = await fetch(`${url}/fails/away`);
    expect(away.headers.get('retry-after')).toBe('2');
    await expectProblem(away, 503, 'service.unavailable');
    const bug = await expectProblem(await fetch(`${url}/fails/bug`), 500, 'internal');
    expect(JSON.stringify(bug)).not.toContain('hunter2');
  });

  it('answers invalid HTTP with a problem, and closes the connection', async () => {
    const answer = await rawExchange(url, 'HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nContent-Type: application\/problem\+json/);
    const huge = await rawExchange(url, `GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'x'.repeat(20_000)}\r\n\r\n`);
    expect(huge).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('refuses a long body before all of it has been sent', async () => {
    // The rest of the body never arrives, so waiting for it would take forever.
    const answer = await rawExchange(
      url,
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe('request ids', () => {
  it('come from a signed context, never from the client', async () => {
    const env = goodEnv();
    const { url } = await start(env);
    const header = (value: string) => ({ [contextHeader]: value, 'x-request-id': 'chosen-by-a-stranger' });
    const idOf = async (value: string) => {
      const answer = await fetch(`${url}/things/1`, { headers: header(value) });
      const { request_id: id } = (await answer.json()) as { request_id: string };
      expect(answer.headers.get('x-request-id')).toBe(id);
      return id;
    };
    expect(await idOf(signContext(agentContext, env.CONTEXT_SECRET ?? ''))).toBe('from-the-gateway');
    expect(await idOf(signContext(agentContext, 'another secret'))).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('come from the header next to a signed context, if the context was signed for several requests', async () => {
    const env = goodEnv();
    const { url } = await start(env);
    const idOf = async (token: string, id: string) => {
      const answer = await fetch(`${url}/things/1`, { headers: { [contextHeader]: token, [requestIdHeader]: id } });
      return ((await answer.json()) as { request_id: string }).request_id;
    };
    const token = signContext(agentContext, env.CONTEXT_SECRET ?? '');
    expect([await idOf(token, 'first'), await idOf(token, 'second')]).toEqual(['first', 'second']);
    expect(await idOf(token, '')).toBe('from-the-gateway');
    expect(await idOf(token, 'x'.repeat(101))).toBe('from-the-gateway');
    expect(await idOf(signContext(agentContext, 'another secret'), 'chosen-by-a-stranger')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a definition', () => {
  it('with raw bodies gets their bytes', async () => {
    let seen: unknown;
    const { url } = await start(
      {},
      {
        prepare: async (app) => {
          keepBodiesRaw(app);
          app
            .getHttpAdapter()
            .getInstance()
            .post('/raw', async (request: FastifyRequest) => {
              seen = request.body;
              return {};
            });
        },
      },
    );
    await fetch(`${url}/raw`, { method: 'POST', body: '{ "a":  1 }', headers: { 'content-type': 'application/json; charset=utf-8' } });
    expect(Buffer.isBuffer(seen)).toBe(true);
    expect(String(seen)).toBe('{ "a":  1 }');
  });

  it('may set a shorter limit for bodies', async () => {
    const { url } = await start({}, { bodyLimitBytes: 10 });
    const answer = await fetch(`${url}/things`, {
      method: 'POST',
      body: '{"name":"too long"}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(413);
  });

  it('uses X-Forwarded-For of trusted proxies only', async () => {
    const ipOf = async (trusted: string[]) => {
      const { url } = await start(
        {},
        {
          trustProxy: () => trusted,
          prepare: async (app) =>
            void app
              .getHttpAdapter()
              .getInstance()
              .get('/ip', async (request: FastifyRequest) => ({ ip: request.ip })),
        },
      );
      const answer = await fetch(`${url}/ip`, { headers: { 'x-forwarded-for': '198.51.100.9' } });
      return ((await answer.json()) as { ip: string }).ip;
    };
    expect(await ipOf([])).toBe('127.0.0.1');
    expect(await ipOf(['10.0.0.0/8'])).toBe('127.0.0.1');
    expect(await ipOf(['127.0.0.1'])).toBe('198.51.100.9');
  });

  it('leaves nothing open if its start fails', async () => {
    const failing = start({}, { prepare: async () => Promise.reject(new Error('no plugin')) });
    await expect(failing).rejects.toThrow('no plugin');
  });

  it('does not start on a port that is taken', async () => {
    const { url } = await start();
    await expect(start({ TICKETS_PORT: new URL(url).port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('health', () => {
  it('lists each dependency, and is 503 while one is down or hangs', async () => {
    let redis: () => Promise<void> = async () => undefined;
    const { url } = await start(
      {},
      {
        ready: () => [
          { name: 'postgres', check: async () => undefined },
          { name: 'redis', check: () => redis() },
        ],
      },
    );
    const ready = async () => {
      const answer = await fetch(`${url}/health/ready`);
      return [answer.status, await answer.json()];
    };
    expect(await ready()).toEqual([200, { status: 'ok', checks: { postgres: 'ok', redis: 'ok' } }]);
    redis = () => Promise.reject(new Error('away'));
    expect(await ready()).toEqual([503, { status: 'down', checks: { postgres: 'ok', redis: 'down' } }]);
    redis = () => new Promise(() => undefined);
    expect(await ready()).toEqual([503, { status: 'down', checks: { postgres: 'ok', redis: 'down' } }]);
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
  });

  it('returns the previous result while a check does not end', async () => {
    let nats: () => Promise<void> = async () => undefined;
    const { url } = await start({}, { ready: () => [{ name: 'nats', check: () => nats(), essential: false, timeoutMs: 100 }] });
    const ready = async () => (await (await fetch(`${url}/health/ready`)).json()) as { status: string };
    expect((await ready()).status).toBe('ok');
    let end = () => {};
    nats = () => new Promise((resolve) => (end = resolve));
    expect((await ready()).status).toBe('ok');
    while ((await ready()).status !== 'degraded');
    end();
    nats = async () => undefined;
    while ((await ready()).status !== 'ok');
  });

  it('stays ready, with status degraded, while a dependency that is not essential is down', async () => {
    const away = { name: 'nats', check: () => Promise.reject(new Error('away')), essential: false };
    const { url } = await start({}, { ready: () => [{ name: 'postgres', check: async () => undefined }, away] });
    const answer = await fetch(`${url}/health/ready`);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'degraded', checks: { postgres: 'ok', nats: 'down' } }]);
  });
});
