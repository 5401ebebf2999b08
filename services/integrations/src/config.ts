import type { ServiceConfig } from '@tandem/platform';
import * as z from 'zod';
import type { ToolSettings } from './provider/task-tool';

const address = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
const credential = z.string().min(1).optional();

/** Environment variables of integrations, in addition to those of every service. */
export const integrationsVariables = {
  CLICKUP_API_URL: address.default('https://api.clickup.com/api').describe('Where ClickUp’s API is; the local task tool in development'),
  CLICKUP_AUTHORIZE_URL: address.default('https://app.clickup.com/api').describe('Where people allow Tandem to use their ClickUp'),
  CLICKUP_CLIENT_ID: credential.describe('Of the OAuth app in ClickUp; without it ClickUp connects by personal tokens alone'),
  CLICKUP_CLIENT_SECRET: credential.describe('Goes with CLICKUP_CLIENT_ID'),
  GITHUB_API_URL: address.default('https://api.github.com').describe('Where GitHub’s API is; https://host/api/v3 of an Enterprise server'),
  GITHUB_WEB_URL: address.default('https://github.com').describe('Where GitHub is in the browser'),
  GITHUB_CLIENT_ID: credential.describe('Of the OAuth app in GitHub; without it GitHub connects by personal tokens alone'),
  GITHUB_CLIENT_SECRET: credential.describe('Goes with GITHUB_CLIENT_ID'),
  WEBHOOK_BASE_URL: address.optional().describe('Where task tools reach Tandem with their webhooks; PUBLIC_URL when empty'),
  TASK_TOOL_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(20_000)
    .describe('How long a call to a task tool may take, in milliseconds'),
  RECONCILE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .default(15 * 60_000)
    .describe('How often each integrated list and its webhook are looked at, whatever webhooks say; in milliseconds'),
  SYNC_LEASE_MS: z.coerce
    .number()
    .int()
    .min(500)
    .default(30_000)
    .describe('How long a process that works on a connection is waited for before another takes over; in milliseconds'),
};
export type IntegrationsConfig = ServiceConfig &
  ToolSettings & {
    PUBLIC_URL: string;
    WEBHOOK_BASE_URL?: string;
    TASK_TOOL_TIMEOUT_MS: number;
    RECONCILE_MS: number;
    SYNC_LEASE_MS: number;
  };
