import { messageOf } from '../../lib/problem';
import { useResendConfirmationMutation } from './auth.api';

/** Requests a new confirmation email. The response is the same whether or not the address is known. */
export function ResendConfirmation({ email }: { email: string }) {
  const [resend, { data, error, isLoading }] = useResendConfirmationMutation();
  if (data) return <p className="mt-1">If that address needs confirming, a new email is on its way.</p>;
  return (
    <div className="mt-1">
      <button
        type="button"
        disabled={isLoading}
        onClick={() => void resend({ email: email.trim() })}
        className="font-medium underline underline-offset-2"
      >
        Resend confirmation email
      </button>
      {error && <p>{messageOf(error, 'Couldn’t send the email. Please try again.')}</p>}
    </div>
  );
}
