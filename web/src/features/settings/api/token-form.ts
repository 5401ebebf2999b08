import { apiTokenRules, tokenPermissionNames, tokenPermissions, type TokenPermission } from '@tandem/contracts/values';
import { t } from '../../../lib/staff-texts';

export type Lifetime = (typeof apiTokenRules.lifetimesDays)[number];
/** A token as the form has it: networks as typed, one per line. */
export interface TokenDraft {
  name: string;
  permissions: TokenPermission[];
  networks: string;
  lifetime: Lifetime;
}
export type TokenErrors = Partial<Record<'name' | 'permissions' | 'networks', string>>;

export const newToken = (): TokenDraft => ({
  name: '',
  permissions: tokenPermissionNames.filter((name) => tokenPermissions[name].byDefault),
  networks: '',
  // The safest choice that needs no attention in the next weeks.
  lifetime: 90,
});

export const lifetimeOptions = apiTokenRules.lifetimesDays.map((days) => ({
  value: String(days),
  label: days === null ? t('settings.api.never') : days === 365 ? t('settings.api.1_year') : t('settings.api.days_days', { days }),
}));
export const lifetimeOf = (value: string): Lifetime => apiTokenRules.lifetimesDays.find((days) => String(days) === value) ?? null;

export const networkLines = (typed: string): string[] =>
  typed
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}(?:/(?:[12]?\\d|3[0-2]))?$`);
const ipv6Prefix = /^(?:\d{1,2}|1[01]\d|12[0-8])$/;

/** The URL parser knows all forms of an IPv6 address. */
function isIpv6(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  if (rest.length > 0 || !/^[0-9a-f:.]+$/i.test(address) || !address.includes(':')) return false;
  return (prefix === undefined || ipv6Prefix.test(prefix)) && URL.canParse(`http://[${address}]`);
}

export const isNetwork = (value: string): boolean => ipv4.test(value) || isIpv6(value);

/** Why the typed networks cannot be saved; undefined if they can. */
export function networksError(typed: string): string | undefined {
  const lines = networkLines(typed);
  if (lines.length > apiTokenRules.maxNetworks)
    return t('settings.api.at_most_max_networks_networks', { maxNetworks: apiTokenRules.maxNetworks });
  const wrong = lines.find((line) => !isNetwork(line));
  return wrong === undefined ? undefined : t('settings.api.value_is_not_network', { wrong });
}

export function tokenErrors({ name, permissions, networks }: TokenDraft): TokenErrors {
  const wrong = networksError(networks);
  return {
    ...(name.trim() === '' ? { name: t('settings.api.give_token_name') } : {}),
    ...(permissions.length === 0 ? { permissions: t('settings.api.choose_at_least_one_permission') } : {}),
    ...(wrong ? { networks: wrong } : {}),
  };
}
