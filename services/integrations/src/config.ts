import type { ServiceConfig } from '@tandem/platform';
import * as z from 'zod';
import type { ToolSettings } from './provider/task-tool';

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
const credential = z.string().min(1).optional();

/** Environment variables of integrations, in addition to those of every service. */
export const integrationsVariables = {
  CLICKUP_API_URL: address.default('https://api.clickup.com/api').describe('URL of ClickUp’s API; in development, of the local task tool'),
  CLICKUP_AUTHORIZE_URL: address.default('https://app.clickup.com/api').describe('URL of ClickUp’s page where users authorize Tandem'),
  CLICKUP_CLIENT_ID: credential.describe('Client ID of the OAuth app in ClickUp. Without it, ClickUp connects by personal tokens only'),
  CLICKUP_CLIENT_SECRET: credential.describe('Client secret for CLICKUP_CLIENT_ID'),
  GITHUB_API_URL: address.default('https://api.github.com').describe('URL of GitHub’s API; https://host/api/v3 for an Enterprise server'),
  GITHUB_WEB_URL: address.default('https://github.com').describe('URL of GitHub in the browser'),
  GITHUB_CLIENT_ID: credential.describe('Client ID of the OAuth app in GitHub. Without it, GitHub connects by personal tokens only'),
  GITHUB_CLIENT_SECRET: credential.describe('Client secret for GITHUB_CLIENT_ID'),
  WEBHOOK_BASE_URL: address.optional().describe('URL to which task tools send webhooks; PUBLIC_URL if empty'),
  TASK_TOOL_TIMEOUT_MS: z.coerce.number().int().min(100).default(20_000).describe('Timeout of a call to a task tool, in milliseconds'),
  RECONCILE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(15 * 60_000)
    .describe('Interval between two checks of each connected list and its webhook, in milliseconds'),
  SYNC_LEASE_MS: z.coerce
    .number()
    .int()
    .min(500)
    .default(30_000)
    .describe('Lease of the process that syncs a connection: after this time another process takes over, in milliseconds'),
};
export type IntegrationsConfig = ServiceConfig &
  ToolSettings & {
    PUBLIC_URL: string;
    WEBHOOK_BASE_URL?: string;
    TASK_TOOL_TIMEOUT_MS: number;
    RECONCILE_MS: number;
    SYNC_LEASE_MS: number;
  };
