import { isIP } from 'node:net';
import { subdomainRule } from '@tandem/contracts';

/** Spec part 1, section 9: 'Free trial 14 days'. */
export const trialDays = 14;

/**
 * Spec part 1, section 5: 'Slug: lowercase name with each character outside a-z and 0-9 replaced by a hyphen.' That is a rule about the
 * name, and a slug addresses nothing: so it follows when the name changes. The ticket prefix stays, because customers hold its numbers.
 */
export const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/gu, '-');

/** Spec part 1, section 5: 'Subdomain: lowercase name with those characters removed'; cut to the 30 characters of part 2, section 5. */
export const subdomainBase = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, '')
    .slice(0, longestSubdomain);

const longestSubdomain = 30;
/** Spec part 1, section 9: 'random suffix 0 to 998'. */
const highestSuffix = 998;
const suffixTries = 20;

/**
 * First labels that our own hosts use, or that customers put before a domain of theirs (`support.example.com`): an organization
 * that owned one of them would answer on hosts that are not its own.
 */
const reservedSubdomains = new Set(
  'admin api app assets auth blog cdn demo dev docs ftp help helpdesk imap login mail mx ns1 ns2 pop portal smtp sso staging static status support test webmail www'.split(
    ' ',
  ),
);

/** Such a subdomain counts as taken, except by the organization that has had it since before it was reserved. */
export const isReservedSubdomain = (subdomain: string): boolean => reservedSubdomains.has(subdomain);

const usable = (subdomain: string): boolean => subdomainRule.pattern.test(subdomain) && !isReservedSubdomain(subdomain);

/**
 * The subdomains to try for a new organization, best first; the database says which one is free.
 * 'If shorter than 3 characters a random number from 0 to 998 is appended' (spec part 1, section 5), and the same number is what
 * tells two organizations of one name apart. When all of those are crowded, six digits are left. Only subdomains that obey the rule
 * of part 2, section 5 are offered: from a name without any letter a-z that is a number of three digits.
 *
 * @param random a number from 0 up to, but not including, 1
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
 * The letters before the counter in ticket numbers: 'the prefix is 2 to 5 letters taken from the organization's name' (product
 * decisions). Three words and more give their initials, a short name all of its letters, a long one its first three; accents fall
 * away, and a name without two Latin letters gets the specification's example, ORG.
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
 * The host that a person means by a team's address: `acme`, `acme.tandem.example`, or a link to one of its pages. `localhost` means no
 * team, unlike in a Host header.
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
