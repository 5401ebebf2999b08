import { timingSafeEqual } from 'node:crypto';
import { email, text } from '@tandem/contracts';
import { safeAddress, UnsafeAddress, type AddressRules, type ServiceConfig } from '@tandem/platform';

/** How long a user may take at the provider before the attempt expires. */
export const attemptMinutes = 10;

/** The purposes under which secrets are sealed. */
export const secretPurpose = 'oidc-client-secret';
export const verifierPurpose = 'oidc-verifier';

/** Customers enter the issuer: it must be public and use https unless the operator allows otherwise. */
export const outboundRules = ({ ALLOW_PRIVATE_OUTBOUND: open }: Pick<ServiceConfig, 'ALLOW_PRIVATE_OUTBOUND'>): AddressRules => ({
  allowHttp: open,
  allowPrivate: open,
});

/** The claims that we use from the provider's response. */
export interface Claims {
  subject: string;
  email: unknown;
  email_verified: unknown;
  given_name: unknown;
  family_name: unknown;
}

/**
 * The redirect URI of an organization. Each organization has its own; otherwise one organization's malicious provider could make another's
 * send its codes to us, and collect them (mix-up attack, RFC 9700, 4.4).
 */
export const redirectUriOf = (publicUrl: string, organization_id: string): string =>
  `${publicUrl}/api/v1/auth/oidc/callback/${organization_id}`;

/**
 * Parses an issuer as an admin enters it; also accepts the URL of its metadata. Throws `UnsafeAddress` with a message for the admin if we
 * must not call it.
 */
export function issuerOf(text: string, rules: AddressRules): URL {
  const url = safeAddress(text.trim().replace(/\/\.well-known\/openid-configuration$/, ''), rules);
  // OpenID Connect Core, 2: an issuer has neither query nor fragment.
  if (url.search !== '' || url.hash !== '') throw new UnsafeAddress('An issuer has neither a query nor a fragment');
  return url;
}

/** Whether two spellings mean the same issuer: `https://a.example` and `https://a.example/` do, different paths never do. */
export const sameIssuer = (one: string, other: string): boolean => URL.parse(one)?.href === URL.parse(other)?.href;

/** The same rule as in the browser (`web/src/lib/redirect.ts`): a path of the product, never another host or a script. */
export function safeRedirect(target: string): string {
  const fallback = '/dashboard';
  if (!/^\/(?![/\\])/.test(target) || target.includes('\\') || /[\u0000-\u001f\u007f]/.test(target)) return fallback;
  const here = 'http://tandem.invalid';
  const url = URL.parse(target, here);
  if (!url || url.origin !== here || url.pathname.startsWith('//')) return fallback;
  return url.pathname === '/auth' ? fallback : `${url.pathname}${url.search}${url.hash}`;
}

/** Compares in constant time. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The normalized address that the provider has verified; undefined unless it says so explicitly. */
export function verifiedEmail(claims: Claims): string | undefined {
  if (claims.email_verified !== true) return undefined;
  const parsed = email().safeParse(claims.email);
  return parsed.success ? parsed.data : undefined;
}

/** A name from the claims, if it meets the rules for typed names. */
export function nameOf(claim: unknown): string | null {
  const parsed = text(100).safeParse(claim);
  return parsed.success && parsed.data !== '' ? parsed.data : null;
}
