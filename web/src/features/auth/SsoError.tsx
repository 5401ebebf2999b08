import { Alert } from '../../ui/Alert';
import { ssoErrorText } from '../../lib/sso-error';

/** Why a sign-in at the provider did not work. Loaded when there is one: the table of all problems comes with it. */
export function SsoError({ code }: { code: string }) {
  return <Alert tone="destructive">{ssoErrorText(code)}</Alert>;
}
