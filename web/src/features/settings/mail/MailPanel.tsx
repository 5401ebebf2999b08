import { Copy } from 'lucide-react';
import { copyText } from '../../../lib/clipboard';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeleton } from '../../../ui/Skeleton';
import { InboundMails } from './InboundMails';
import { MailServerCard } from './MailServerCard';
import { MailboxCard } from './MailboxCard';
import { SenderDomainCard } from './SenderDomainCard';
import { TestEmailCard } from './TestEmailCard';
import { useReadMailInQuery } from './mail-settings.api';

function AddressCard({ address }: { address: string }) {
  return (
    <Card aria-labelledby="mail-address">
      <CardHeader id="mail-address" title={t('settings.mail.your_address')} />
      <div className="flex flex-col gap-2 p-4">
        <div className="flex items-center gap-2">
          <code className="min-w-0 rounded-md border bg-sunken px-2.5 py-1.5 font-mono text-xs break-all">{address}</code>
          <Button variant="ghost" size="icon" aria-label={t('settings.mail.copy_address')} onClick={() => void copyText(address)}>
            <Copy aria-hidden />
          </Button>
        </div>
        <p className="text-muted">{t('settings.mail.what_address_does')}</p>
      </div>
    </Card>
  );
}

/** Email settings: the organization's address and mailbox, its sender domain and server, and the log of incoming emails. */
export function MailPanel() {
  const { data, error, isFetching, refetch } = useReadMailInQuery();
  return (
    <div className="flex flex-col gap-5">
      {error && !data && (
        <ErrorNote
          title={t('settings.mail.couldnt_load_settings')}
          detail={messageOf(error, '')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!error && !data && <Skeleton className="h-72 w-full" />}
      {data && (
        <>
          <AddressCard address={data.address} />
          <MailboxCard mailbox={data.mailbox} />
        </>
      )}
      <div className="after-skeletons">
        <TestEmailCard />
      </div>
      <div className="after-skeletons">
        <SenderDomainCard />
      </div>
      <div className="after-skeletons">
        <MailServerCard />
      </div>
      <div className="after-skeletons">
        <InboundMails />
      </div>
    </div>
  );
}
