import { createHash } from 'node:crypto';
import type { GatewayReply } from '../request';

const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;

/**
 * Allows the scripts inside the built page (web/vite.inline-script.ts) by their hashes, in addition to the policy of all responses. `built`
 * must be the page as it was built: what the gateway adds to it contains texts of organizations.
 */
export function allowInlineScripts({ raw }: Pick<GatewayReply, 'raw'>, built: string): void {
  const hashes = [...built.matchAll(/<script>([^<]*)<\/script>/g)].map(([, code]) => hashOf(code!));
  if (hashes.length === 0) return;
  const policy = String(raw.getHeader('content-security-policy'));
  raw.setHeader('content-security-policy', policy.replace("script-src 'self'", ["script-src 'self'", ...hashes].join(' ')));
}
