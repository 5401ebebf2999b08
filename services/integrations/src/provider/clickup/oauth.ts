import * as z from 'zod';
import type { ToolSettings } from '../task-tool';

/** ClickUp has no scopes: users select workspaces on its page. */
export function authorizeUrl(settings: ToolSettings, { state, redirect_uri }: { state: string; redirect_uri: string }): string | undefined {
  const { CLICKUP_CLIENT_ID, CLICKUP_CLIENT_SECRET, CLICKUP_AUTHORIZE_URL } = settings;
  if (!CLICKUP_CLIENT_ID || !CLICKUP_CLIENT_SECRET) return undefined;
  return `${CLICKUP_AUTHORIZE_URL}?${new URLSearchParams({ client_id: CLICKUP_CLIENT_ID, redirect_uri, state }).toString()}`;
}

export function exchangeRequest(settings: ToolSettings, { code }: { code: string; redirect_uri: string }) {
  const { CLICKUP_CLIENT_ID: client_id, CLICKUP_CLIENT_SECRET: client_secret, CLICKUP_API_URL } = settings;
  if (!client_id || !client_secret) return undefined;
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { url: `${CLICKUP_API_URL}/v2/oauth/token`, headers, body: { client_id, client_secret, code } };
}

/**
 * ClickUp's documentation: the token "currently does not expire", and this may change. So an expiry is saved if the response contains one.
 */
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
