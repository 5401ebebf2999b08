import { timingSafeEqual } from 'node:crypto';
import { email, text } from '@tandem/contracts';
import { safeAddress, UnsafeAddress, type AddressRules, type ServiceConfig } from '@tandem/platform';

/** How long somebody may take at the provider before the way back is closed. */
export const attemptMinutes = 10;

/** What our own sealed values open with. */
export const secretPurpose = 'oidc-client-secret';
export const verifierPurpose = 'oidc-verifier';

/** An issuer is an address that a customer gives: public and by https, but where the operator says otherwise. */
export const outboundRules = ({ ALLOW_PRIVATE_OUTBOUND: open }: Pick<ServiceConfig, 'ALLOW_PRIVATE_OUTBOUND'>): AddressRules => ({
  ...{ allowHttp: open, allowPrivate: open },
});

/** What of the provider's answer counts for us. */
export interface Claims {
  subject: string;
  email: unknown;
  email_verified: unknown;
  given_name: unknown;
  family_name: unknown;
}

/**
 * Where the provider sends people back to. Each organization has an address of its own: a provider that its organization has made up
 * could else have another organization's provider send its codes to us in its name, and collect them (RFC 9700, 4.4: mix-up).
 */
export const redirectUriOf = (publicUrl: string, organization_id: string): string =>
  `${publicUrl}/api/v1/auth/oidc/callback/${organization_id}`;

/**
 * The issuer as an admin may have copied it: also as the address of its metadata. Throws `UnsafeAddress` with a sentence for the
 * admin where it is no address that we call.
 */
export function issuerOf(text: string, rules: AddressRules): URL {
  const url = safeAddress(text.trim().replace(/\/\.well-known\/openid-configuration$/, ''), rules);
  // OpenID Connect Core, 2: an issuer has neither query nor fragment.
  if (url.search !== '' || url.hash !== '') throw new UnsafeAddress('An issuer has neither a query nor a fragment');
  return url;
}

/** Whether two spellings are one issuer: `https://a.example` and `https://a.example/` are, a different path never is. */
export const sameIssuer = (one: string, other: string): boolean => URL.parse(one)?.href === URL.parse(other)?.href;

/** The same rule as the browser's (`web/src/lib/redirect.ts`): a path of the product itself, never another host, never a script. */
export function safeRedirect(target: string): string {
  const fallback = '/dashboard';
  if (!/^\/(?![/\\])/.test(target) || target.includes('\\') || /[\u0000-\u001f\u007f]/.test(target)) return fallback;
  const here = 'http://tandem.invalid';
  const url = URL.parse(target, here);
  if (!url || url.origin !== here || url.pathname.startsWith('//')) return fallback;
  return url.pathname === '/auth' ? fallback : `${url.pathname}${url.search}${url.hash}`;
}

/** In the same time, wherever they differ. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The address that the provider vouches for, spelled as ours are; undefined where it does not say so in as many words. */
export function verifiedEmail(claims: Claims): string | undefined {
  if (claims.email_verified !== true) return undefined;
  const parsed = email().safeParse(claims.email);
  return parsed.success ? parsed.data : undefined;
}

/** A name as the provider has it, where it is one that a person could type. */
export function nameOf(claim: unknown): string | null {
  const parsed = text(100).safeParse(claim);
  return parsed.success && parsed.data !== '' ? parsed.data : null;
}
