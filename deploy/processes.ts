import { analyticsService } from '@tandem/analytics/src/analytics.module';
import { gatewayConfig, gatewayVariables } from '@tandem/gateway/src/config';
import { identityService } from '@tandem/identity/src/identity.module';
import { integrationsService } from '@tandem/integrations/src/integrations.module';
import { notificationsService } from '@tandem/notifications/src/notifications.module';
import { envExample, type Env, type ProcessName, type ServiceConfig } from '@tandem/platform';
import { ticketsService } from '@tandem/tickets/src/tickets.module';
import { readFileSync } from 'node:fs';
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

const sources: Record<string, string> = {
  'dist/migrate.js': 'cli/migrate.ts',
  'dist/demo.js': 'cli/demo.ts',
  'dist/dead-letters.js': 'cli/dead-letters.ts',
  'dist/dkim-records.js': 'cli/dkim-records.ts',
  'dist/rebuild-analytics.js': 'cli/rebuild-analytics.ts',
  'dist/mail-catcher.js': 'mail-catcher.ts',
};

/** The variables that a command of the deploy image reads, found in its source: the required ones, and all. */
export function variablesOfCommand(bundle: string): { required: string[]; all: Set<string> } {
  const file = sources[bundle];
  if (!file) throw new Error(`${bundle} is not a command of the deploy image`);
  const source = readFileSync(join(__dirname, 'local', file), 'utf8');
  const required = [...source.matchAll(/(?:requiredVariable|open<\w+>)\('([A-Z_]+)'\)/g)].map((match) => match[1]!);
  const optional = [...source.matchAll(/process\.env\.([A-Z_]+)/g)].map((match) => match[1]!);
  if (required.length === 0) throw new Error(`${file} reads no required variable with requiredVariable('…')`);
  const databases = processNames.filter((name) => name !== 'gateway').map((name) => `${name.toUpperCase()}_DATABASE_URL`);
  return { required, all: new Set([...required, ...optional, ...(source.includes('_DATABASE_URL`)') ? databases : [])]) };
}
