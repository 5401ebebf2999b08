import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { baseUrl, ConfigError, envExample, secretText, serviceConfig, type Env } from './config';
import { goodEnv } from '../test/fixtures';

function problemsOf(env: Env, extra?: z.ZodRawShape): readonly string[] {
  try {
    serviceConfig('tickets', extra, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  throw new Error('It started');
}

describe('serviceConfig', () => {
  it('reads a complete environment and fills in the defaults', () => {
    const config = serviceConfig(
      'tickets',
      { SMTP_URL: z.string() },
      goodEnv({ TICKETS_PORT: undefined, SMTP_URL: 'smtp://127.0.0.1:25' }),
    );
    expect(config).toMatchObject({
      name: 'tickets',
      PORT: 4002,
      HOST: '127.0.0.1',
      RUN: ['http', 'events', 'jobs'],
      NATS_STREAM: 'TANDEM',
      EVENTS_PREFIX: 'events',
      SHUTDOWN_GRACE_MS: 10_000,
      PUBLIC_URL: 'http://localhost:3000',
      OTEL_TRACES_SAMPLER_ARG: 0.1,
      SMTP_URL: 'smtp://127.0.0.1:25',
    });
    expect(config.METRICS_PORT).toBeUndefined();
    expect(config.DATABASE_URL).toContain('/tandem_tickets');
  });

  it('reports all problems together, each with its variable and never with a value', () => {
    const problems = problemsOf({
      NODE_ENV: 'staging',
      RUN: 'http,cron',
      TICKETS_PORT: 'eighty',
      CONTEXT_SECRET: 'hunter2',
      TICKETS_DATABASE_URL: 'mysql://root:hunter2@db/x',
      REDIS_URL: '',
      PUBLIC_URL: 'https://help.test/path',
      OTEL_TRACES_SAMPLER_ARG: '7',
    });
    const named = problems.map((line) => line.split(' ')[0]);
    expect(named).toEqual([
      'NODE_ENV',
      'RUN',
      'TICKETS_PORT',
      'PUBLIC_URL',
      'CONTEXT_SECRET',
      'CONTEXT_SECRET',
      'ENCRYPTION_KEYS',
      'TICKETS_DATABASE_URL',
      'NATS_URL',
      'REDIS_URL',
      'OTEL_TRACES_SAMPLER_ARG',
    ]);
    expect(problems.join('\n')).not.toMatch(/hunter2|staging|eighty|cron/);
  });

  it('reports missing required variables', () => {
    const start = (env: Env) => () => serviceConfig('tickets', {}, goodEnv(env));
    expect(start({ REDIS_URL: undefined, PUBLIC_URL: 'no address' })).toThrow(
      /^tickets cannot start: Missing required environment variables\n {2}- /,
    );
    expect(start({ PUBLIC_URL: 'no address' })).toThrow(/^tickets cannot start:\n {2}- PUBLIC_URL /);
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['short', 'Zk3!'],
    ['default-looking', 'change-me-change-me-change-me-0123456789'],
    ['one letter over and over', 'a'.repeat(64)],
  ])('refuses a secret that is %s', (_what, value) => {
    expect(problemsOf(goodEnv({ CONTEXT_SECRET: value }))).toEqual(expect.arrayContaining([expect.stringMatching(/^CONTEXT_SECRET /)]));
    expect(problemsOf(goodEnv({ SESSION_SECRET: value }), { SESSION_SECRET: secretText() }).join()).toContain('SESSION_SECRET');
  });

  it('allows calls to private addresses only if configured, and never on an https installation', () => {
    const open = { ALLOW_PRIVATE_OUTBOUND: 'true', NODE_ENV: 'production' };
    expect(serviceConfig('tickets', {}, goodEnv()).ALLOW_PRIVATE_OUTBOUND).toBe(false);
    expect(serviceConfig('tickets', {}, goodEnv(open)).ALLOW_PRIVATE_OUTBOUND).toBe(true);
    expect(problemsOf(goodEnv({ ...open, PUBLIC_URL: 'https://help.test' })).join()).toContain('ALLOW_PRIVATE_OUTBOUND must not be true');
    expect(problemsOf(goodEnv({ ALLOW_PRIVATE_OUTBOUND: 'yes' })).join()).toContain('ALLOW_PRIVATE_OUTBOUND must be one of true, false');
  });

  it.each([
    ['a key that is too short', `a:${Buffer.alloc(16, 'abcdefgh').toString('base64')}`],
    ['a key of zeros', `a:${Buffer.alloc(32).toString('base64')}`],
    ['no id', Buffer.from('abcdefghijklmnopqrstuvwxyz012345').toString('base64')],
  ])('refuses encryption keys with %s', (_what, value) => {
    expect(problemsOf(goodEnv({ ENCRYPTION_KEYS: value }))).toHaveLength(1);
  });

  it('refuses two keys with the same id', () => {
    const { ENCRYPTION_KEYS: one } = goodEnv();
    expect(problemsOf(goodEnv({ ENCRYPTION_KEYS: `${one},${one}` })).join()).toContain('twice');
  });

  it('refuses a well-known database password', () => {
    expect(problemsOf(goodEnv({ TICKETS_DATABASE_URL: 'postgres://tandem:postgres@db/x' })).join()).toContain('well-known');
  });

  it('refuses one secret for two purposes', () => {
    const env = goodEnv();
    expect(problemsOf({ ...env, SESSION_SECRET: env.CONTEXT_SECRET }, { SESSION_SECRET: secretText() }).join()).toContain('same as');
  });

  it('accepts several secrets during a rotation, all of which must be valid and distinct', () => {
    const [now, next] = [goodEnv().CONTEXT_SECRET!, goodEnv().CONTEXT_SECRET!];
    expect(serviceConfig('tickets', {}, goodEnv({ CONTEXT_SECRET: `${now}, ${next}` })).CONTEXT_SECRET).toEqual([now, next]);
    expect(problemsOf(goodEnv({ CONTEXT_SECRET: `${now},short` })).join()).toContain('CONTEXT_SECRET is too short');
    expect(problemsOf(goodEnv({ CONTEXT_SECRET: `${now},${now}` })).join()).toContain('CONTEXT_SECRET contains a secret twice');
    expect(problemsOf(goodEnv({ CONTEXT_SECRET: `${now},` })).join()).toContain('CONTEXT_SECRET is too short');
  });

  it('requires the addresses of the services for the gateway only, and has defaults for them outside production', () => {
    expect(serviceConfig('gateway', {}, goodEnv()).SERVICE_URLS.tickets).toBe('http://127.0.0.1:4002');
    expect(() => serviceConfig('gateway', {}, goodEnv({ NODE_ENV: 'production' }))).toThrow(/TICKETS_URL is missing/);
    expect(() => serviceConfig('tickets', {}, goodEnv({ NODE_ENV: 'production' }))).not.toThrow();
    expect(serviceConfig('gateway', {}, goodEnv()).DATABASE_URL).toBeUndefined();
  });

  it('treats an empty variable as unset, as compose files pass it', () => {
    expect(serviceConfig('tickets', {}, goodEnv({ OTEL_EXPORTER_OTLP_ENDPOINT: '', HOST: ' ' }))).toMatchObject({ HOST: '127.0.0.1' });
  });

  it('drops the trailing slash of a URL, because links add one', () => {
    expect(baseUrl().parse('https://help.test/')).toBe('https://help.test');
  });
});

describe('envExample', () => {
  it('matches .env.example', () => {
    const file = readFileSync(join(__dirname, '../../../.env.example'), 'utf8').split('\n');
    const missing = envExample()
      .split('\n')
      .filter((line) => !file.includes(line));
    // If this fails, generate the file again with envExample(extras); `extras` are the services' own variables.
    expect(missing).toEqual([]);
  });

  it('contains no usable secret', () => {
    const lines = envExample().split('\n');
    expect(lines).toContain('CONTEXT_SECRET=');
    expect(lines).toContain('ENCRYPTION_KEYS=');
  });

  it('adds a process’s own variables with their descriptions', () => {
    const text = envExample({ notifications: { MAIL_FROM: z.string().default('help@help.test').describe('The sender of every mail.') } });
    expect(text).toContain('# The sender of every mail.\n# MAIL_FROM=help@help.test');
  });
});
