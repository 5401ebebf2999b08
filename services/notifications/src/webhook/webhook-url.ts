import { AppError } from '@tandem/contracts';
import { safeAddress, UnsafeAddress, type AddressRules } from '@tandem/platform';
import type { NotificationsConfig } from '../config';

type UrlConfig = Pick<NotificationsConfig, 'ALLOW_PRIVATE_OUTBOUND' | 'WEBHOOK_TEST_RECEIVERS'>;

/** The rules for a URL: https to a public address, unless the installation allows this very receiver or any address. */
export function addressRules(url: string, { ALLOW_PRIVATE_OUTBOUND, WEBHOOK_TEST_RECEIVERS }: UrlConfig): AddressRules {
  const { host = '' } = URL.parse(url) ?? {};
  const isOpen = ALLOW_PRIVATE_OUTBOUND || WEBHOOK_TEST_RECEIVERS.includes(host);
  return { allowHttp: isOpen, allowPrivate: isOpen };
}

/** Throws `webhook_endpoint.url_refused` for a URL that must not be called. Names are resolved, and checked again, at each attempt. */
export function assertUrl(url: string, config: UrlConfig): void {
  try {
    safeAddress(url, addressRules(url, config));
  } catch (error) {
    if (!(error instanceof UnsafeAddress)) throw error;
    throw new AppError('webhook_endpoint.url_refused', {
      fields: [{ path: 'url', code: 'refused', message: error.message }],
      cause: error,
    });
  }
}
