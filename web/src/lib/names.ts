import type { ActingRule, ActingToken } from '@tandem/contracts';
import { t } from './staff-texts';

interface Named {
  first_name: string | null;
  last_name: string | null;
  email?: string;
}

/** First and last name, else the email address, else `fallback`. */
export function nameOf(person: Named | null | undefined, fallback = t('lib.unknown')): string {
  const name = [person?.first_name, person?.last_name].filter(Boolean).join(' ');
  return name || person?.email || fallback;
}

/** The API token that did something: 'API · Importer'. */
export const tokenLabel = ({ name, via }: ActingToken): string =>
  via === 'mcp' ? t('lib.api_token_via_mcp', { name }) : t('lib.api_token', { name });

/** The rule that did something: 'Rule “Refunds to Ada”'. */
export const ruleLabel = ({ name }: ActingRule): string => t('lib.rule_name', { name });

/** One or two letters for an avatar. */
export function initialsOf(name: string): string {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter(Boolean);
  const first = [...(words[0] ?? '?')][0] ?? '?';
  const last = words.length > 1 ? ([...(words[words.length - 1] ?? '')][0] ?? '') : '';
  return (first + last).toUpperCase();
}
