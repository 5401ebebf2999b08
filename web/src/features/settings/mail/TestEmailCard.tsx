import type { TestEmail } from '@tandem/contracts';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { useSendTestEmailMutation } from './mail-settings.api';

const routes: Record<TestEmail['sent_by'], string> = {
  mail_server: 'through your SMTP server',
  sender_domain: 'signed for your sender domain',
  product: 'from our domain',
};

function Sent({ test: { to, from, sent_by, response } }: { test: TestEmail }) {
  return (
    <Alert tone="success">
      <p className="[overflow-wrap:anywhere]">{t('settings.mail.test_email_was_sent', { to, from, sent_byName: routes[sent_by] })}</p>
      <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere]">{response}</p>
    </Alert>
  );
}

/** Sends the admin a test email the same way that emails to customers are currently sent. */
export function TestEmailCard() {
  const [send, { data, error, isLoading }] = useSendTestEmailMutation();
  return (
    <Card aria-labelledby="test-email">
      <CardHeader id="test-email" title={t('settings.mail.emails_to_customers')} />
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-muted">{t('settings.mail.what_test_email_is')}</p>
        <Button busy={isLoading} onClick={() => void send()}>
          {isLoading ? t('settings.mail.sending') : t('settings.mail.send_test_email')}
        </Button>
        {error && !isLoading && (
          <Alert tone="destructive" className="[overflow-wrap:anywhere]">
            {messageOf(error, t('settings.mail.couldnt_send_test_email'))}
          </Alert>
        )}
        {data && !isLoading && !error && <Sent test={data} />}
      </div>
    </Card>
  );
}
