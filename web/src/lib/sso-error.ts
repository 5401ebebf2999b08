import { problems, type ProblemCode } from '@tandem/contracts/values';

/** What a sign-in at the provider can end with. Anything else in the address is somebody's invention. */
const known = ['oidc.failed', 'oidc.not_a_member', 'account.inactive', 'service.unavailable'] as const satisfies readonly ProblemCode[];

/** The sentence for `/auth?sso_error=`; undefined without one. The address bar is no place to put words into our mouth: unknown codes get the general sentence. */
export function ssoErrorText(code: string | null): string | undefined {
  if (!code) return undefined;
  return problems[known.find((each) => each === code) ?? 'oidc.failed'].title;
}
