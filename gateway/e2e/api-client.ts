import type { CreateApiToken, IssuedApiToken } from '@tandem/contracts';
import type * as z from 'zod';
import { Browser } from './client';
import { anIpAddress, type OwnerSession } from './test-app';

export async function issueToken(
  owner: Pick<OwnerSession, 'browser'>,
  body: Partial<z.input<typeof CreateApiToken>> = {},
): Promise<IssuedApiToken> {
  const answer = await owner.browser.post<IssuedApiToken>('/api-tokens', { name: 'Importer', ...body });
  if (answer.status !== 201) throw new Error(`api-tokens answered ${answer.status}: ${answer.text}`);
  return answer.data;
}

/** A program that calls a gateway with an API token, from one client address. */
export const apiClient = (
  gateway: { url: string },
  value: string,
  address = anIpAddress(),
  headers: Record<string, string> = {},
): Browser => new Browser(gateway.url, 'localhost:3000', { authorization: `Bearer ${value}`, 'x-forwarded-for': address, ...headers });
