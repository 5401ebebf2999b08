import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

export interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string | number>;
  build?: { context: string; dockerfile: string; args: { SERVICE: string } };
  stop_grace_period?: string;
  read_only?: boolean;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
}

/** `docker-compose.yml` as Docker Compose reads it: merge keys are resolved, and variables replaced from `env` if it is given. */
export function compose(env?: Record<string, string>): Record<string, ComposeService> {
  const text = readFileSync(join(__dirname, '..', 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return env ? (JSON.parse(JSON.stringify(services), (_key, value: unknown) => interpolate(value, env)) as typeof services) : services;
}

function interpolate(value: unknown, env: Record<string, string>): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{([A-Z0-9_]+)(?:(:[-?])([^}]*))?\}/g, (_all, name: string, kind?: string, rest = '') => {
    if (env[name]) return env[name];
    if (kind === ':-') return rest as string;
    throw new Error(`${name} is not in .env`);
  });
}

/** The lines `NAME=value` of a `.env` file, as an object. */
export const environment = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));
