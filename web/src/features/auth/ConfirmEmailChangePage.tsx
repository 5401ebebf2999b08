import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { isProblem, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Spinner } from '../../ui/Spinner';
import { useConfirmEmailChangeMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';

const noLongerValid = 'This confirmation link is no longer valid';

function Failed({ error, onRetry }: { error: unknown; onRetry: (() => void) | undefined }) {
  const isOld = !onRetry || (isProblem(error) && (error.status === 410 || error.status === 422));
  return (
    <>
      <Alert tone="destructive">
        {isOld ? `${noLongerValid}. Request a new one on your account page.` : messageOf(error, 'Couldn’t change your address.')}
      </Alert>
      {isOld ? (
        <Button asChild variant="primary" size="lg">
          <Link to="/account">Go to your account</Link>
        </Button>
      ) : (
        <Button variant="primary" size="lg" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </>
  );
}

/** Target of the link emailed to the new address. It confirms with a POST, for the reason given in ConfirmEmailPage. */
export function ConfirmEmailChangePage() {
  useDocumentTitle('Confirm your new address');
  const [search] = useSearchParams();
  const token = search.get('token');
  const destination = useDestination();
  const { data: session, isError } = useReadSessionQuery();
  const [confirm, { data, error }] = useConfirmEmailChangeMutation();
  const sent = useRef(false);
  useEffect(() => {
    if (!token || sent.current) return;
    sent.current = true;
    void confirm({ token });
  }, [token, confirm]);
  const failed = error ?? (token ? undefined : { missing: true });
  return (
    <AuthFrame title="Confirm your new address">
      <Card className="flex flex-col gap-4 p-5" aria-live="polite" aria-busy={!data && !failed}>
        {!data && !failed && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label="Confirming your new address" />
            Confirming your new address
          </p>
        )}
        {data && (
          <>
            <Alert tone="success">
              From now on, sign in as <strong className="font-semibold">{data.email}</strong>.
            </Alert>
            <Button asChild variant="primary" size="lg">
              {session && !isError ? (
                <Link to="/account">Go to your account</Link>
              ) : (
                <Link to={addressWith('/auth', destination, { email: data.email })}>Sign In</Link>
              )}
            </Button>
          </>
        )}
        {failed && <Failed error={error} onRetry={token ? () => void confirm({ token }) : undefined} />}
      </Card>
    </AuthFrame>
  );
}
