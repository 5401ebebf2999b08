import { analyticsService } from '@tandem/analytics/src/analytics.module';
import { gatewayConfig, gatewayVariables } from '@tandem/gateway/src/config';
import { identityService } from '@tandem/identity/src/identity.module';
import { integrationsService } from '@tandem/integrations/src/integrations.module';
import { notificationsService } from '@tandem/notifications/src/notifications.module';
import { envExample, type Env, type ProcessName, type ServiceConfig } from '@tandem/platform';
import { ticketsService } from '@tandem/tickets/src/tickets.module';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ZodRawShape } from 'zod';

/** Every process of the product, as in its `main.ts`: its own variables, in addition to the shared ones, and its configuration. */
export const processes: Record<ProcessName, { variables: ZodRawShape; config(env: Env): ServiceConfig }> = {
  identity: identityService,
  tickets: ticketsService,
  notifications: notificationsService,
  integrations: integrationsService,
  analytics: analyticsService,
  gateway: { variables: gatewayVariables, config: (env) => gatewayConfig(env) },
};
export const processNames = Object.keys(processes) as ProcessName[];

/** The complete text of the root's `.env.example`. */
export const wholeEnvExample = (): string =>
  envExample(Object.fromEntries(Object.entries(processes).map(([name, { variables }]) => [name, variables])));

const namesIn = (text: string): string[] => [...text.matchAll(/^(?:# )?([A-Z][A-Z0-9_]*)=/gm)].map((match) => match[1]!);

/** The names of all variables that a process reads: the shared ones and its own. */
export function variablesOf(name: ProcessName): Set<string> {
  const sections = wholeEnvExample().split(/^# ---- /m);
  const section = (title: string) => sections.find((each) => each.startsWith(`${title}\n`)) ?? '';
  return new Set([...namesIn(section('every process')), ...namesIn(section(name))]);
}

const commandSources: Record<string, string> = {
  'dist/migrate.js': 'tandem/migrate-all.ts',
  'dist/demo.js': 'local/cli/demo.ts',
  'dist/dkim-records.js': 'local/cli/dkim-records.ts',
  'dist/mail-catcher.js': 'local/mail-catcher.ts',
  // A folder: all of its files.
  'dist/tandem.js': 'tandem',
};
/** The commands for operators, which the service `tools` of docker-compose.yml runs. */
export const operatorCommands = ['dist/tandem.js', 'dist/demo.js', 'dist/dkim-records.js'];

/** The variables that a command of the deploy image reads, found in its source: the required ones, and all. */
export function variablesOfCommand(bundle: string): { required: string[]; all: Set<string> } {
  const path = commandSources[bundle];
  if (!path) throw new Error(`${bundle} is not a command of the deploy image`);
  const source = textOf(join(__dirname, path));
  const required = [...source.matchAll(/(?:requiredVariable|required|open<\w+>|withDatabase<\w+>)\('([A-Z_]+)'/g)].map(
    (match) => match[1]!,
  );
  const optional = [...source.matchAll(/process\.env\.([A-Z_0-9]+)/g)].map((match) => match[1]!);
  if (required.length === 0) throw new Error(`${path} reads no required variable with requiredVariable('…')`);
  const databases = processNames.filter((name) => name !== 'gateway').map((name) => `${name.toUpperCase()}_DATABASE_URL`);
  return { required, all: new Set([...required, ...optional, ...(source.includes('_DATABASE_URL`)') ? databases : [])]) };
}

function textOf(path: string): string {
  if (!statSync(path).isDirectory()) return readFileSync(path, 'utf8');
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
  );
  return names.map((name) => readFileSync(join(path, name), 'utf8')).join('\n');
}
