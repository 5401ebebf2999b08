import { serviceNames, type ServiceName } from '@tandem/contracts';
import * as z from 'zod';
import { localUrl, processNames, serviceUrl, variables, type ProcessName, type Variable } from './variables';

export { baseUrl, secretList, secretText, serverUrl, type ProcessName } from './variables';

/** An environment: `process.env`, or a test's own values. */
export type Env = Record<string, string | undefined>;

/** The configuration common to all processes. Each member is described in `variables.ts` and in `.env.example`. */
export interface ServiceConfig {
  name: ProcessName;
  NODE_ENV: 'production' | 'development' | 'test';
  RUN: ('http' | 'events' | 'jobs')[];
  HOST: string;
  PORT: number;
  METRICS_PORT?: number;
  LOG_LEVEL: string;
  SHUTDOWN_NOTICE_MS: number;
  SHUTDOWN_GRACE_MS: number;
  PUBLIC_URL: string;
  PORTAL_DOMAINS: string[];
  SINGLE_ORGANIZATION: boolean;
  ALLOW_PRIVATE_OUTBOUND: boolean;
  /** The first signs, all verify. */
  CONTEXT_SECRET: string[];
  ENCRYPTION_KEYS: string;
  DATABASE_URL?: string;
  NATS_URL: string;
  NATS_STREAM: string;
  NATS_STREAM_REPLICAS?: number;
  NATS_STREAM_MAX_BYTES?: number;
  EVENTS_PREFIX: string;
  REDIS_URL: string;
  REDIS_PREFIX: string;
  SERVICE_URLS: Record<ServiceName, string>;
  OTEL_EXPORTER_OTLP_ENDPOINT?: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** The process must not start. The message has one line per problem, with the variable's name but never its value. */
export class ConfigError extends Error {
  constructor(
    name: ProcessName,
    readonly problems: readonly string[],
  ) {
    const isMissing = problems.some((line) => line.includes(' is missing. '));
    super(
      [`${name} cannot start:${isMissing ? ' Missing required environment variables' : ''}`, ...problems.map((line) => `  - ${line}`)].join(
        '\n',
      ),
    );
    this.name = 'ConfigError';
  }
}

/** Compose and Kubernetes pass an unset variable as an empty string. */
const valueOf = (env: Env, name: string): string | undefined => env[name]?.trim() || undefined;

/** Returns the parsed value, or adds its problems; a missing required variable is reported with its purpose. */
function read(envName: string, schema: z.ZodType, value: string | undefined, sentence: string, problems: string[]): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  if (value === undefined) problems.push(`${envName} is missing. ${sentence}`.trim());
  else {
    const messages = result.error.issues.map((issue) =>
      issue.code === 'invalid_value' ? `must be one of ${issue.values.join(', ')}` : issue.message,
    );
    for (const each of new Set(messages)) problems.push(`${envName} ${each}`);
  }
  return undefined;
}

function readVariable(name: ProcessName, variable: Variable, env: Env, problems: string[]): unknown {
  if (variable.only && !variable.only.includes(name)) return undefined;
  const envName = variable.env(name);
  const value = valueOf(env, envName);
  if (value === undefined) {
    if (variable.default) return variable.default(name, env);
    if (variable.optional) return undefined;
  }
  return read(envName, variable.schema, value, variable.sentence, problems);
}

/** In production the gateway's service URLs are required: a default would point to the gateway's own container. */
function serviceUrlOf(name: ProcessName, service: ServiceName, env: Env, problems: string[]): unknown {
  const variable = serviceUrl(service);
  const guess = env.NODE_ENV === 'test' || env.NODE_ENV === 'development' || name !== 'gateway';
  return guess && !valueOf(env, variable.env(name)) ? localUrl(service) : readVariable(name, variable, env, problems);
}

/** Rejects a secret that is used for two purposes: leaking one would leak the other. Of a list, only the first is still used to sign. */
function reusedSecrets(config: Record<string, unknown>, problems: string[]): void {
  const seen = new Map<string, string>();
  for (const [key, value] of Object.entries(config)) {
    const secret: unknown = Array.isArray(value) ? value[0] : value;
    if (!/SECRET/.test(key) || typeof secret !== 'string') continue;
    const other = seen.get(secret);
    if (other) problems.push(`${key} is the same as ${other}: each secret needs a different value`);
    seen.set(secret, key);
  }
}

/** Rejects ALLOW_PRIVATE_OUTBOUND in production, where it opens our network to customers. `npm start` is production without https. */
function openInProduction({ NODE_ENV, PUBLIC_URL, ALLOW_PRIVATE_OUTBOUND }: Record<string, unknown>, problems: string[]): void {
  if (ALLOW_PRIVATE_OUTBOUND === true && NODE_ENV === 'production' && `${PUBLIC_URL as string}`.startsWith('https:'))
    problems.push('ALLOW_PRIVATE_OUTBOUND must not be true in production: it is for development and tests only');
}

/**
 * Reads the configuration of one process at start; no other code reads the environment.
 * `extra` has the service's own variables by name, each with `.describe('one sentence')`; an empty variable counts as unset.
 * Throws `ConfigError` with all problems together, including missing, short and placeholder secrets.
 */
export function serviceConfig<X extends z.ZodRawShape = {}>(
  name: ProcessName,
  extra?: X,
  env: Env = process.env,
): ServiceConfig & z.infer<z.ZodObject<X>> {
  const problems: string[] = [];
  const config: Record<string, unknown> = { name };
  for (const [key, variable] of Object.entries<Variable>(variables)) config[key] = readVariable(name, variable, env, problems);
  config.SERVICE_URLS = Object.fromEntries(serviceNames.map((service) => [service, serviceUrlOf(name, service, env, problems)]));
  for (const [key, schema] of Object.entries((extra ?? {}) as Record<string, z.ZodType>)) {
    config[key] = read(key, schema, valueOf(env, key), schema.description ?? '', problems);
  }
  reusedSecrets(config, problems);
  openInProduction(config, problems);
  if (problems.length > 0) throw new ConfigError(name, problems);
  return config as unknown as ServiceConfig & z.infer<z.ZodObject<X>>;
}

const lineOf = (envName: string, sentence: string, value: string, needed: boolean): string[] => [
  `# ${sentence}`,
  `${needed ? '' : '# '}${envName}=${value}`,
];
const linesOf = (variable: Variable, name: ProcessName): string[] =>
  lineOf(variable.env(name), variable.sentence, variable.example?.(name) ?? '', !variable.default && !variable.optional);

/** A service's own variable; its default is shown, commented out. */
function linesOfExtra(envName: string, schema: z.ZodType): string[] {
  const unset = schema.safeParse(undefined);
  const fallback = unset.data;
  const value = typeof fallback === 'string' || typeof fallback === 'number' || typeof fallback === 'boolean' ? String(fallback) : '';
  return lineOf(envName, schema.description ?? envName, value, !unset.success);
}

/**
 * The text of `.env.example` in the repository's root. Lines that are commented out show the defaults.
 * `extras` adds the variables of single processes, as passed to `serviceConfig`.
 */
export function envExample(extras: Partial<Record<ProcessName, z.ZodRawShape>> = {}): string {
  const all = Object.values<Variable>(variables);
  const isShared = (variable: Variable): boolean => variable.env('tickets') === variable.env('gateway');
  const lines = [
    '# Every variable with its description, written by `npm run docs`. Commented-out values are the defaults.',
    '# Secrets have no default: a process that lacks one does not start and names it.',
    '',
    '# ---- every process',
    ...all.filter(isShared).flatMap((variable) => linesOf(variable, 'tickets')),
  ];
  for (const name of processNames) {
    const own = all.filter((variable) => !isShared(variable) && (variable.only?.includes(name) ?? true));
    const urls = name === 'gateway' ? serviceNames.map(serviceUrl) : [];
    lines.push('', `# ---- ${name}`, ...[...own, ...urls].flatMap((variable) => linesOf(variable, name)));
    lines.push(...Object.entries((extras[name] ?? {}) as Record<string, z.ZodType>).flatMap(([key, schema]) => linesOfExtra(key, schema)));
  }
  return `${lines.join('\n')}\n`;
}
