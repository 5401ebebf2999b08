import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Rich } from '../../ui/Rich';
import { Spinner } from '../../ui/Spinner';
import { useConfirmEmailChangeMutation } from './auth.api';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';

function Failed({ error, onRetry }: { error: unknown; onRetry: (() => void) | undefined }) {
  const isOld = !onRetry || (isProblem(error) && (error.status === 410 || error.status === 422));
  return (
    <>
      <Alert tone="destructive">
        {isOld ? t('auth.request_new_link_on_account_page') : messageOf(error, t('auth.couldnt_change_your_address'))}
      </Alert>
      {isOld ? (
        <Button asChild variant="primary" size="lg">
          <Link to="/account">{t('auth.go_to_your_account')}</Link>
        </Button>
      ) : (
        <Button variant="primary" size="lg" onClick={onRetry}>
          {t('auth.try_again')}
        </Button>
      )}
    </>
  );
}

/** Target of the link emailed to the new address. It confirms with a POST, for the reason given in ConfirmEmailPage. */
export function ConfirmEmailChangePage() {
  useDocumentTitle(t('auth.confirm_your_new_address'));
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
    <AuthFrame title={t('auth.confirm_your_new_address')}>
      <Card className="flex flex-col gap-4 p-5" aria-live="polite" aria-busy={!data && !failed}>
        {!data && !failed && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label={t('auth.confirming_your_new_address')} />
            {t('auth.confirming_your_new_address')}
          </p>
        )}
        {data && (
          <>
            <Alert tone="success">
              <Rich
                text={t('auth.sign_in_with_new_address')}
                tags={{ email: () => <strong className="font-semibold">{data.email}</strong> }}
              />
            </Alert>
            <Button asChild variant="primary" size="lg">
              {session && !isError ? (
                <Link to="/account">{t('auth.go_to_your_account')}</Link>
              ) : (
                <Link to={addressWith('/auth', destination, { email: data.email })}>{t('auth.sign_in')}</Link>
              )}
            </Button>
          </>
        )}
        {failed && <Failed error={error} onRetry={token ? () => void confirm({ token }) : undefined} />}
      </Card>
    </AuthFrame>
  );
}
