import type { TestEmail } from '@tandem/contracts';
import { messageOf } from '../../../lib/problem';
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
      <p className="[overflow-wrap:anywhere]">
        Sent to {to} from {from}, {routes[sent_by]}. If it doesn’t arrive, check your spam folder.
      </p>
      <p className="mt-1 font-mono text-xs [overflow-wrap:anywhere]">{response}</p>
    </Alert>
  );
}

/** Sends the admin a test email the same way that emails to customers are currently sent. */
export function TestEmailCard() {
  const [send, { data, error, isLoading }] = useSendTestEmailMutation();
  return (
    <Card aria-labelledby="test-email">
      <CardHeader id="test-email" title="Emails to customers" />
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-muted">Send yourself a test email, from the same address and server as emails to customers.</p>
        <Button busy={isLoading} onClick={() => void send()}>
          {isLoading ? 'Sending…' : 'Send a test email'}
        </Button>
        {error && !isLoading && (
          <Alert tone="destructive" className="[overflow-wrap:anywhere]">
            {messageOf(error, 'Couldn’t send the test email')}
          </Alert>
        )}
        {data && !isLoading && !error && <Sent test={data} />}
      </div>
    </Card>
  );
}
