import { createLogger, NestLog } from './log';

function logged(): { lines: string[]; log: ReturnType<typeof createLogger> } {
  const lines: string[] = [];
  return { lines, log: createLogger('tickets', 'debug', { write: (line) => void lines.push(line) }) };
}

const secret = 'hunter2-hunter2';

describe('createLogger', () => {
  it('writes one JSON line with time, level, service and the fields of its child', () => {
    const { lines, log } = logged();
    log.child({ request_id: 'r1', organization_id: 'o1' }).info({ count: 3 }, 'counted');
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      service: 'tickets',
      request_id: 'r1',
      organization_id: 'o1',
      count: 3,
      msg: 'counted',
    });
  });

  it.each([
    'password',
    'new_password',
    'newPassword',
    'token',
    'access_token',
    'refreshToken',
    'cookie',
    'set-cookie',
    'Authorization',
    'client_secret',
    'CONTEXT_SECRET',
    'ENCRYPTION_KEYS',
    'sealed_access_token',
    'x-csrf-token',
    'x-tandem-context',
    'apiKey',
  ])('never writes the value of %s, however deep', (name) => {
    const { lines, log } = logged();
    log.info({ [name]: secret, headers: { [name]: [secret] }, list: [{ deep: { [name]: { inner: secret } } }] }, 'look');
    log.child({ [name]: secret }).warn('child');
    log.error(
      Object.assign(new Error('failed'), { [name]: secret, cause: Object.assign(new Error('inner'), { options: { [name]: secret } }) }),
    );
    expect(lines.join()).not.toContain('hunter2');
    expect(lines).toHaveLength(3);
  });

  it.each([
    ['a database address', `could not reach postgres://tandem:${secret}@db:5432/x`],
    ['a bearer token', `GET /x Authorization: Bearer ${secret}`],
    ['an API token', `unknown token tnd_live_${secret.replace(/-/g, '_')}`],
    ['a signed link', `open https://help.test/confirm?token=${secret}&x=1`],
  ])('never writes %s inside a text or a stack', (_what, text) => {
    const { lines, log } = logged();
    log.info(text);
    log.error({ err: new Error(text) }, text);
    log.warn({ detail: { text } });
    expect(lines.join()).not.toMatch(/hunter2/);
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });

  it('does not redact values that only resemble a secret', () => {
    const { lines, log } = logged();
    log.info({ token_id: 't1', idempotency_key: 'i1', secretary: 'Ann', tokens_used: 3 }, 'fine');
    expect(lines[0]).toMatch(/"token_id":"t1".*"idempotency_key":"i1".*"secretary":"Ann".*"tokens_used":3/);
  });

  it('writes a complete error: type, message, stack, cause, further members', () => {
    const { lines, log } = logged();
    log.error({ err: Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E1' }) }, 'oh');
    const { err } = JSON.parse(lines[0] ?? '') as { err: Record<string, unknown> };
    expect(err).toMatchObject({ type: 'TypeError', message: 'outer', code: 'E1', cause: { message: 'inner' } });
    expect(err.stack).toContain('log.spec');
  });

  it('survives a cycle, a function, bytes and a bigint', () => {
    const { lines, log } = logged();
    const cycle: Record<string, unknown> = { big: 5n, bytes: Buffer.from('abc'), call: () => 1 };
    cycle.self = cycle;
    log.info(cycle, 'odd');
    expect(lines[0]).toContain('"big":"5","bytes":"[3 bytes]"');
  });
});

describe('NestLog', () => {
  it('writes Nest’s messages with their context, and its startup messages at debug level only', () => {
    const { lines, log } = logged();
    const nest = new NestLog(log);
    nest.log('Mapped {/x, GET} route', 'RouterExplorer');
    nest.error('it broke', 'Error: it broke\n    at x (y.ts:1:1)', 'ExceptionHandler');
    nest.error(new Error('thrown'), 'Injector');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'debug', context: 'RouterExplorer', msg: 'Mapped {/x, GET} route' },
      { level: 'error', context: 'ExceptionHandler', stack: expect.stringContaining('y.ts') },
      { level: 'error', context: 'Injector', err: { message: 'thrown' } },
    ]);
  });
});
