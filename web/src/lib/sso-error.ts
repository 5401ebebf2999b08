import { problems, type ProblemCode } from '@tandem/contracts/values';

/** The codes with which a sign-in at the identity provider can fail. Other codes in the address are not from us. */
const known = ['oidc.failed', 'oidc.not_a_member', 'account.inactive', 'service.unavailable'] as const satisfies readonly ProblemCode[];

/** The message for `/auth?sso_error=`; undefined without a code. Unknown codes get the general message, so links cannot inject text. */
export function ssoErrorText(code: string | null): string | undefined {
  if (!code) return undefined;
  return problems[known.find((each) => each === code) ?? 'oidc.failed'].title;
}
