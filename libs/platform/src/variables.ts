import { serviceNames, type ServiceName } from '@tandem/contracts';
import * as z from 'zod';

export type ProcessName = ServiceName | 'gateway';
export const processNames = [...serviceNames, 'gateway'] as const satisfies readonly ProcessName[];

const defaultPorts: Record<ProcessName, number> = {
  identity: 4001,
  tickets: 4002,
  notifications: 4003,
  integrations: 4004,
  analytics: 4005,
  gateway: 3000,
};

const placeholder = /change.?me|placeholder|replace.?me|example|your.?secret|insecure|default|password|^secret|<.*>|x{6}|\.{3}/i;
const fewLetters = (text: string): boolean => new Set(text).size < 10;

/**
 * A secret that an operator has to generate: at least `length` characters, not a placeholder, not a few letters repeated.
 * Also for a service's own variables: `DATABASE_SERVICE_PASSWORD: secretText().describe('…')`.
 */
export function secretText(length = 32): z.ZodType<string, string> {
  return z
    .string()
    .min(length, `is too short for a secret: at least ${length} characters (openssl rand -base64 32)`)
    .refine(
      (text) => !placeholder.test(text) && !fewLetters(text),
      'looks like a placeholder: generate a real one (openssl rand -base64 32)',
    );
}

/**
 * Secrets separated by commas, for a rotation without downtime: the first one signs, all of them verify. A process that verifies the next
 * secret before another one signs with it never refuses what that one has signed.
 */
export function secretList(length = 32): z.ZodType<string[], string> {
  return z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .pipe(z.array(secretText(length)).refine((secrets) => new Set(secrets).size === secrets.length, 'contains a secret twice'));
}

/** A web URL without path, query and credentials; a trailing slash is removed. */
export function baseUrl(): z.ZodType<string, string> {
  return z
    .string()
    .transform((text) => text.replace(/\/+$/, ''))
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && `${url.protocol}//${url.host}` === text.toLowerCase();
    }, 'must be an address like https://help.example.com, without a path');
}

/** Host names separated by commas, lower-cased. */
const hostList = (): z.ZodType<string[], string> =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().toLowerCase()))
    .refine(
      (names) => names.every((name) => /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)),
      'must be host names like desk.example, separated by commas',
    );

/** A server URL with one of these protocols. A well-known default password in it is rejected. */
export function serverUrl(...protocols: string[]): z.ZodType<string, string> {
  const known = new Set(['…', 'password', 'postgres', 'changeme', 'change-me', 'change_me', 'secret', 'example', 'guest', 'admin', 'root']);
  return z.string().superRefine((text, ctx) => {
    const url = URL.parse(text);
    if (!url || !protocols.includes(url.protocol.slice(0, -1)) || url.hostname === '') {
      ctx.addIssue({ code: 'custom', message: `must be an address like ${protocols[0]}://user:password@host:port` });
    } else if (known.has(decodeURIComponent(url.password).toLowerCase())) {
      ctx.addIssue({ code: 'custom', message: 'contains a well-known default password: choose another one' });
    }
  });
}

const whole = (from: number, to: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int('must be a whole number')
    .min(from, `must be at least ${from}`)
    .max(to, `must be at most ${to}`);

const encryptionKeys = z.string().superRefine((text, ctx) => {
  const ids = new Set<string>();
  for (const part of text.split(',')) {
    const [, id, key] = /^\s*([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_=-]+)\s*$/.exec(part) ?? [];
    const bytes = Buffer.from(key ?? '', 'base64');
    if (!id) ctx.addIssue({ code: 'custom', message: 'must be a list of id:base64(32 bytes), separated by commas' });
    else if (bytes.length !== 32)
      ctx.addIssue({ code: 'custom', message: `key ${id} must be 32 bytes in base64 (openssl rand -base64 32)` });
    else if (new Set(bytes).size < 12) ctx.addIssue({ code: 'custom', message: `key ${id} looks like a placeholder: generate a real one` });
    else if (ids.has(id)) ctx.addIssue({ code: 'custom', message: `key ${id} appears twice` });
    if (id) ids.add(id);
  }
});

const run = ['http', 'events', 'jobs'] as const;

export interface Variable {
  /** The variable's name in this process's environment; the member's name in the configuration is the table's key. */
  env(name: ProcessName): string;
  schema: z.ZodType;
  /** One sentence for `.env.example` and for the error message when the process refuses to start. */
  sentence: string;
  /** The value in `.env.example`; secrets have none. */
  example?: (name: ProcessName) => string;
  /** The processes that need it; other processes never read it. */
  only?: readonly ProcessName[];
  default?: (name: ProcessName, env: Record<string, string | undefined>) => unknown;
  optional?: boolean;
}

const named = (text: string) => () => text;
const own = (suffix: string) => (name: ProcessName) => `${name.toUpperCase()}_${suffix}`;

/** The variables that all processes share. A service's own are passed to `serviceConfig(name, extra)`. */
export const variables = {
  NODE_ENV: {
    env: named('NODE_ENV'),
    schema: z.enum(['production', 'development', 'test']),
    sentence: 'production by default; development and test check every response against its contract.',
    default: () => 'production',
    example: () => 'production',
  },
  RUN: {
    env: named('RUN'),
    schema: z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim()))
      .pipe(z.array(z.enum(run, { error: `must be a list of ${run.join(', ')}` })).min(1)),
    sentence:
      'The parts that this process runs, separated by commas: http (handles requests), events (consumes and publishes events), jobs (processes queues).',
    default: () => [...run],
    example: () => run.join(','),
  },
  HOST: {
    env: named('HOST'),
    schema: z.string(),
    sentence: 'The address to listen on; 0.0.0.0 in a container.',
    default: () => '127.0.0.1',
    example: () => '127.0.0.1',
  },
  PORT: {
    env: (name) => (name === 'gateway' ? 'PORT' : own('PORT')(name)),
    schema: whole(0, 65_535),
    sentence: 'The port to listen on; 0 for a free one.',
    default: (name) => defaultPorts[name],
    example: (name) => String(defaultPorts[name]),
  },
  METRICS_PORT: {
    env: own('METRICS_PORT'),
    schema: whole(1, 65_535),
    sentence: 'The port of /metrics (Prometheus); no metrics server if empty.',
    optional: true,
  },
  LOG_LEVEL: {
    env: named('LOG_LEVEL'),
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    sentence: 'The minimum log level: trace, debug, info, warn, error, fatal or silent.',
    default: () => 'info',
    example: () => 'info',
  },
  SHUTDOWN_NOTICE_MS: {
    env: named('SHUTDOWN_NOTICE_MS'),
    schema: whole(0, 60_000),
    sentence:
      'How long a stopping process still accepts requests while it is marked as not ready, so that load balancers stop using it; in milliseconds.',
    default: (_name, env) => (env.NODE_ENV === 'test' ? 0 : 1000),
    example: () => '1000',
  },
  SHUTDOWN_GRACE_MS: {
    env: named('SHUTDOWN_GRACE_MS'),
    schema: whole(0, 600_000),
    sentence: 'How long a stopping process waits for requests in flight before it aborts them; in milliseconds.',
    default: () => 10_000,
    example: () => '10000',
  },
  PUBLIC_URL: {
    env: named('PUBLIC_URL'),
    schema: baseUrl(),
    sentence:
      'The public URL of Tandem and the base of every link in emails. Portal links have the organization’s subdomain before the host, unless SINGLE_ORGANIZATION is true.',
    default: () => 'http://localhost:3000',
    example: () => 'http://localhost:3000',
  },
  PORTAL_DOMAINS: {
    env: named('PORTAL_DOMAINS'),
    schema: hostList(),
    sentence:
      'Domains whose subdomains are portals, in addition to the host of PUBLIC_URL, separated by commas: with desk.example, acme.desk.example is a portal.',
    default: () => [],
    optional: true,
  },
  SINGLE_ORGANIZATION: {
    env: named('SINGLE_ORGANIZATION'),
    schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
    sentence:
      'true: the installation has one organization, and its portal is on the host of PUBLIC_URL. Portals need no DNS records of subdomains.',
    default: () => false,
    example: () => 'false',
  },
  ALLOW_PRIVATE_OUTBOUND: {
    env: named('ALLOW_PRIVATE_OUTBOUND'),
    schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
    sentence:
      'true allows URLs from customers (an OpenID provider) to use http, private addresses and any port; for development and tests only.',
    default: () => false,
    example: () => 'false',
  },
  CONTEXT_SECRET: {
    env: named('CONTEXT_SECRET'),
    schema: secretList(),
    sentence:
      'Signs the caller’s identity between gateway and services; the same for all of them: openssl rand -base64 32. Separated by commas during a rotation: the first signs, all verify.',
  },
  ENCRYPTION_KEYS: {
    env: named('ENCRYPTION_KEYS'),
    schema: encryptionKeys,
    sentence:
      'Encryption keys of stored tokens as id:base64(32 bytes), separated by commas: the first encrypts, all decrypt. Add new keys at the front.',
  },
  DATABASE_URL: {
    env: own('DATABASE_URL'),
    schema: serverUrl('postgres', 'postgresql'),
    sentence: 'The service’s own database, as the role without ownership.',
    only: serviceNames,
    example: (name) => `postgres://tandem_${name}:…@127.0.0.1:5432/tandem_${name}`,
  },
  NATS_URL: {
    env: named('NATS_URL'),
    schema: serverUrl('nats', 'tls'),
    sentence: 'NATS with JetStream, for events.',
    example: () => 'nats://…@127.0.0.1:4222',
  },
  NATS_STREAM: {
    env: named('NATS_STREAM'),
    schema: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, _ and -'),
    sentence: 'The JetStream stream of the events.',
    default: () => 'TANDEM',
    example: () => 'TANDEM',
  },
  NATS_STREAM_REPLICAS: {
    env: named('NATS_STREAM_REPLICAS'),
    schema: whole(1, 5),
    sentence: 'The number of NATS servers that store each event, 3 in a cluster of three. If empty, an existing stream is left unchanged.',
    only: serviceNames,
    optional: true,
  },
  NATS_STREAM_MAX_BYTES: {
    env: named('NATS_STREAM_MAX_BYTES'),
    schema: whole(1_000_000, 1e15),
    sentence:
      'The maximum size of the stream in bytes, less than the disk of NATS. Above it, events wait in the databases. If empty, an existing stream is left unchanged.',
    only: serviceNames,
    optional: true,
  },
  EVENTS_PREFIX: {
    env: named('EVENTS_PREFIX'),
    schema: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, _ and -'),
    sentence: 'The first part of every NATS subject.',
    default: () => 'events',
    example: () => 'events',
  },
  REDIS_URL: {
    env: named('REDIS_URL'),
    schema: serverUrl('redis', 'rediss'),
    sentence: 'Redis with appendonly yes and maxmemory-policy noeviction, for queues and rate limits.',
    example: () => 'redis://:…@127.0.0.1:6379',
  },
  REDIS_PREFIX: {
    env: named('REDIS_PREFIX'),
    schema: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be letters, digits, _ and -'),
    sentence: 'The first part of every key in Redis.',
    default: () => 'tandem',
    example: () => 'tandem',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    env: named('OTEL_EXPORTER_OTLP_ENDPOINT'),
    schema: z.string().regex(/^https?:\/\//, 'must be an address like http://collector:4318'),
    sentence: 'The collector of traces (OTLP over HTTP); no tracing if empty.',
    optional: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    env: named('OTEL_TRACES_SAMPLER_ARG'),
    schema: z.coerce.number({ error: 'must be a number' }).min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1'),
    sentence: 'The fraction of requests that are traced, 0 to 1.',
    default: () => 0.1,
    example: () => '0.1',
  },
} satisfies Record<string, Variable>;

/** The gateway's URL for each service: `TICKETS_URL`. */
export const serviceUrl = (service: ServiceName): Variable => ({
  env: () => `${service.toUpperCase()}_URL`,
  schema: baseUrl(),
  sentence: `The URL of ${service}.`,
  example: () => `http://127.0.0.1:${defaultPorts[service]}`,
  only: ['gateway'],
});

/** A service's default URL when all services run on one machine. */
export const localUrl = (service: ServiceName): string => `http://127.0.0.1:${defaultPorts[service]}`;
