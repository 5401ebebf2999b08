import type { ApiToken } from '@tandem/contracts';
import { formatDay, formatUntil } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import type { BadgeTone } from '../../../ui/Badge';

const soonMs = 14 * 24 * 3_600_000;

/** 'Expires in 6 days', 'Expired', 'Expires Nov 23, 2027', 'Never expires'. */
export function expiryOf({ expires_at }: Pick<ApiToken, 'expires_at'>, now: number): { text: string; tone: BadgeTone } {
  if (expires_at === null) return { text: t('settings.api.never_expires'), tone: 'plain' };
  const left = Date.parse(expires_at) - now;
  if (left <= 0) return { text: t('settings.api.expired'), tone: 'red' };
  if (left < soonMs) return { text: t('settings.api.expires_until', { until: formatUntil(expires_at, now) }), tone: 'amber' };
  return { text: t('settings.api.expires_day', { day: formatDay(expires_at) }), tone: 'plain' };
}

export const isExpired = ({ expires_at }: Pick<ApiToken, 'expires_at'>, now: number): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now;

/** The value as far as it is known: 'tnd_live_…3f9c'. */
export const maskedValue = ({ last_four }: Pick<ApiToken, 'last_four'>): string => `tnd_live_…${last_four}`;

/** A first request to run, with the token's value. */
export const curlLine = (value: string, origin = location.origin): string =>
  `curl "${origin}/api/v1/tickets?limit=5" \\\n  -H "Authorization: Bearer ${value}"`;
