import { Alert } from '../../ui/Alert';
import { ssoErrorText } from '../../lib/sso-error';

/** Why a sign-in at the identity provider failed. Loaded on demand, because it includes the table of all problems. */
export function SsoError({ code }: { code: string }) {
  return <Alert tone="destructive">{ssoErrorText(code)}</Alert>;
}
