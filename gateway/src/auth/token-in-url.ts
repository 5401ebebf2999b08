import { AppError } from '@tandem/contracts';
import { hasApiTokenValue } from '@tandem/platform';
import type { FastifyRequest } from 'fastify';

/** Rejects an API token in a query: URLs are stored in logs of proxies and in browser histories. */
export function rejectTokenInUrl({ raw: { url = '' } }: FastifyRequest): void {
  const query = url.indexOf('?');
  if (query >= 0 && hasApiTokenValue(url.slice(query))) throw new AppError('token.in_url');
}
