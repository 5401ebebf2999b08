import type { IncomingMessage } from 'node:http';
import { AppError } from '@tandem/contracts';
import type { FastifyRequest } from 'fastify';

const absoluteForm = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i;

const refused = (detail: string) => new AppError('request.malformed', { detail });

/**
 * Rejects requests with ambiguous hosts. Every proxy and server must agree on the host, because it selects the organization (RFC 9112,
 * 3.2). Node silently uses the first of several `Host` headers, and a proxy may have routed by the second.
 */
export function assertOneHost({ rawHeaders, url = '' }: Pick<IncomingMessage, 'rawHeaders' | 'url'>): void {
  const hosts = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === 'host');
  if (hosts.length > 1) throw refused('Send exactly one Host header');
  const [host] = hosts;
  const named = absoluteForm.exec(url)?.[1];
  if (named !== undefined && named.toLowerCase() !== host?.toLowerCase())
    throw refused('The request URL and the Host header name different hosts');
}

/** Also turns an absolute request target into a path, which every handler expects. */
export function requireOneHost(request: FastifyRequest): void {
  const { raw } = request;
  assertOneHost(raw);
  if (raw.url !== undefined && absoluteForm.test(raw.url)) raw.url = raw.url.replace(absoluteForm, '').replace(/^(?!\/)/, '/');
}
