import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { useResendConfirmationMutation } from './auth.api';

/** Requests a new confirmation email. The response is the same whether or not the address is known. */
export function ResendConfirmation({ email }: { email: string }) {
  const [resend, { data, error, isLoading }] = useResendConfirmationMutation();
  if (data) return <p className="mt-1">{t('auth.confirmation_is_on_its_way')}</p>;
  return (
    <div className="mt-1">
      <button
        type="button"
        disabled={isLoading}
        onClick={() => void resend({ email: email.trim() })}
        className="font-medium underline underline-offset-2"
      >
        {t('auth.resend_confirmation_email')}
      </button>
      {error && <p>{messageOf(error, t('auth.couldnt_send_email'))}</p>}
    </div>
  );
}
