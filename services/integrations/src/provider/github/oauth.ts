import * as z from 'zod';
import type { ToolSettings } from '../task-tool';

const headers = { 'content-type': 'application/json', accept: 'application/json' };

/** `repo` is the only scope for issues and webhooks of private repositories. */
export function authorizeUrl(settings: ToolSettings, { state, redirect_uri }: { state: string; redirect_uri: string }): string | undefined {
  const { GITHUB_CLIENT_ID: client_id, GITHUB_CLIENT_SECRET, GITHUB_WEB_URL } = settings;
  if (!client_id || !GITHUB_CLIENT_SECRET) return undefined;
  return `${GITHUB_WEB_URL}/login/oauth/authorize?${new URLSearchParams({ client_id, redirect_uri, state, scope: 'repo' }).toString()}`;
}

export const exchangeRequest = (settings: ToolSettings, { code, redirect_uri }: { code: string; redirect_uri: string }) =>
  tokenRequest(settings, { code, redirect_uri });

/** Tokens of GitHub Apps expire after hours; those of OAuth apps do not, and come without a refresh token. */
export const refreshRequest = (settings: ToolSettings, refresh_token: string) =>
  tokenRequest(settings, { grant_type: 'refresh_token', refresh_token });

function tokenRequest({ GITHUB_CLIENT_ID: client_id, GITHUB_CLIENT_SECRET: client_secret, GITHUB_WEB_URL }: ToolSettings, more: object) {
  if (!client_id || !client_secret) return undefined;
  return { url: `${GITHUB_WEB_URL}/login/oauth/access_token`, headers, body: { client_id, client_secret, ...more } };
}

/** A refusal has status 200 and contains no token. */
const Token = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.number().positive().optional(),
});

export function readToken(body: unknown) {
  const parsed = Token.safeParse(body);
  if (!parsed.success) return undefined;
  const { access_token: token, refresh_token, expires_in } = parsed.data;
  const expires_at = expires_in && new Date(Date.now() + expires_in * 1_000).toISOString();
  return { token, ...(refresh_token && { refresh_token }), ...(expires_at && { expires_at }) };
}
