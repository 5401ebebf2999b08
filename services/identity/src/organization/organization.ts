import { isIP } from 'node:net';
import { longestSubdomain, subdomainBase, subdomainRule } from '@tandem/contracts';

/** The length of a new organization's free trial. */
export const trialDays = 14;

/**
 * The slug changes with the name, because no URL contains it (docs/product-rules.md#organizations). The ticket prefix does not, because
 * customers have ticket numbers with it.
 */
export const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '-');

/** Random suffixes are between 0 and 998. */
const highestSuffix = 998;
const suffixTries = 20;

/**
 * Labels that our own hosts use, or that customers use on their domains (`support.example.com`): an organization with such a subdomain
 * could receive requests that are meant for other hosts.
 */
const reservedSubdomains = new Set(
  'admin api app assets auth blog cdn demo dev docs ftp help helpdesk imap login mail mx ns1 ns2 pop portal smtp sso staging static status support test webmail www'.split(
    ' ',
  ),
);

/** A reserved subdomain counts as taken, except for an organization that has had it since before it was reserved. */
export const isReservedSubdomain = (subdomain: string): boolean => reservedSubdomains.has(subdomain);

const usable = (subdomain: string): boolean => subdomainRule.pattern.test(subdomain) && !isReservedSubdomain(subdomain);

/**
 * The subdomains to try for a new organization, best first; the database decides which one is free. A name shorter than 3 characters, or
 * one that is taken, gets a random suffix from 0 to 998. If all of those are taken, the suffix has six digits. Only valid subdomains are
 * returned: a name without letters and digits gives a number of three digits.
 *
 * @param random returns a number from 0 up to, but not including, 1
 */
export function* subdomainCandidates(name: string, random: () => number = Math.random): Generator<string> {
  const base = subdomainBase(name);
  const offered = new Set<string>();
  const offer = function* (candidate: string) {
    if (!usable(candidate) || offered.has(candidate)) return;
    offered.add(candidate);
    yield candidate;
  };
  yield* offer(base);
  const lowestSuffix = [100, 10][base.length] ?? 0;
  for (let tries = 0; tries < suffixTries; tries++) {
    const suffix = lowestSuffix + Math.floor(random() * (highestSuffix - lowestSuffix + 1));
    yield* offer(base.slice(0, longestSubdomain - 3) + suffix);
  }
  for (let tries = 0; tries < suffixTries; tries++) {
    yield* offer(base.slice(0, longestSubdomain - 6) + String(Math.floor(random() * 1_000_000)).padStart(6, '0'));
  }
}

/**
 * The prefix of ticket numbers: 2 to 5 letters from the organization's name. Three or more words give their initials, a short name all of
 * its letters, a long name its first three. Accents are removed. A name without two Latin letters gives ORG.
 */
export function ticketPrefixOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .filter((word) => word !== '');
  if (words.length >= 3)
    return words
      .map((word) => word.charAt(0))
      .join('')
      .slice(0, 5);
  const letters = words.join('');
  if (letters.length < 2) return 'ORG';
  return letters.length <= 5 ? letters : letters.slice(0, 3);
}

/**
 * The host that a user means by a team's address: `acme`, `acme.tandem.example`, or a link to one of its pages. Unlike in a Host header,
 * `localhost` means no team.
 */
export function teamHost(address: string, publicUrl: string): string {
  const text = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/?#].*$/, '');
  const { hostname } = new URL(publicUrl);
  if (/^[a-z0-9-]+$/.test(text) && text !== 'localhost') return `${text}.${isIP(hostname) ? 'localhost' : hostname}`;
  return /^[a-z0-9.-]+\.[a-z0-9.-]+(:\d+)?$/.test(text) && !/^127\./.test(text) ? text : '';
}
