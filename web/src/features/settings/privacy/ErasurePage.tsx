import type { Erasure } from '@tandem/contracts';
import { erasureRemains } from '@tandem/contracts/values';
import { ArrowLeft, Download, Printer } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useMemberName } from '../../../app/use-member-name';
import { useNow } from '../../../lib/now';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import { CancelErasure } from './CancelErasure';
import {
  canCancel,
  countedKinds,
  erasureNumber,
  erasureStateLabels,
  erasureStateTones,
  isUnderWay,
  progressText,
  serviceLabels,
  services,
} from './erasure-labels';
import { erasurePollMs } from './ErasureList';
import { privacyAddress } from './privacy-address';
import { useReadErasureQuery } from './privacy.api';
import { receiptText } from './receipt-text';

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 py-1">
    <dt className="text-muted">{label}</dt>
    <dd className="[overflow-wrap:anywhere]">{children}</dd>
  </div>
);

function Facts({ erasure, requestedBy }: { erasure: Erasure; requestedBy: string }) {
  const { email, starts_at, created_at, finished_at, state } = erasure;
  return (
    <dl>
      {email && <Fact label={t('settings.privacy.customer')}>{email}</Fact>}
      <Fact label={t('settings.privacy.number')}>
        <span className="tabular">{erasureNumber(erasure)}</span>
      </Fact>
      <Fact label={t('settings.privacy.requested')}>
        <Time iso={created_at} />, {requestedBy}
      </Fact>
      {state !== 'cancelled' && (
        <Fact label={state === 'scheduled' ? t('settings.privacy.starts') : t('settings.privacy.started')}>
          <Time iso={starts_at} />
        </Fact>
      )}
      {finished_at && (
        <Fact label={state === 'cancelled' ? t('settings.privacy.state_cancelled') : t('settings.privacy.finished')}>
          <Time iso={finished_at} />
        </Fact>
      )}
    </dl>
  );
}

function Answer({ counts }: { counts: Erasure['answers']['tickets'] }) {
  if (!counts) return <span className="text-muted">{t('settings.privacy.waiting_for_service')}</span>;
  const kinds = countedKinds(counts);
  if (kinds.length === 0) return <span className="text-muted">{t('settings.privacy.nothing_stored')}</span>;
  return (
    <ul>
      {kinds.map(({ kind, label, count }) => (
        <li key={kind} className="flex justify-between gap-4">
          {label}
          <span className="tabular">{count.toLocaleString('en-US')}</span>
        </li>
      ))}
    </ul>
  );
}

const Deleted = ({ answers }: Pick<Erasure, 'answers'>) => (
  <section aria-label={t('settings.privacy.what_was_deleted')}>
    <h3 className="mb-1 font-semibold">{t('settings.privacy.what_was_deleted')}</h3>
    <dl className="divide-y">
      {services.map((service) => (
        <div key={service} className="grid gap-x-6 gap-y-0.5 py-2 sm:grid-cols-[14rem_minmax(0,1fr)]">
          <dt className="font-medium">{serviceLabels[service]}</dt>
          <dd className="max-w-xs">
            <Answer counts={answers[service]} />
          </dd>
        </div>
      ))}
    </dl>
  </section>
);

const Remains = ({ remains }: Pick<Erasure, 'remains'>) => (
  <section aria-label={t('settings.privacy.what_remains')}>
    <h3 className="mb-1 font-semibold">{t('settings.privacy.what_remains')}</h3>
    <ul className="flex list-disc flex-col gap-1 pl-5 text-pretty marker:text-faint">
      {remains.map((remain) => (
        <li key={remain}>{erasureRemains[remain]}</li>
      ))}
    </ul>
  </section>
);

function ReceiptActions({ erasure, requestedBy }: { erasure: Erasure; requestedBy: string }) {
  const { organization } = useSession();
  const download = () => {
    const text = receiptText(erasure, { organization: organization?.name ?? '', requestedBy });
    const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href, download: `erasure-${erasureNumber(erasure).toLowerCase()}.txt` }).click();
    URL.revokeObjectURL(href);
  };
  return (
    <div className="flex gap-1.5 print:hidden">
      <Button size="sm" onClick={() => window.print()}>
        <Printer aria-hidden />
        {t('settings.privacy.print')}
      </Button>
      <Button size="sm" onClick={download}>
        <Download aria-hidden />
        {t('settings.privacy.download_text')}
      </Button>
    </div>
  );
}

function Receipt({ erasure }: { erasure: Erasure }) {
  const id = useId();
  const now = useNow();
  const requestedBy = useMemberName()(erasure.requested_by);
  const { state, remains } = erasure;
  const number = erasureNumber(erasure);
  const progress = progressText(erasure, now);
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={state === 'done' ? t('settings.privacy.receipt') : t('settings.privacy.erasure_number', { number })}
        actions={
          state === 'done' ? (
            <ReceiptActions erasure={erasure} requestedBy={requestedBy} />
          ) : (
            canCancel(erasure, now) && <CancelErasure id={erasure.id} label={t('settings.privacy.cancel_erasure_number', { number })} />
          )
        }
      />
      <div className="flex flex-col gap-5 p-4">
        <div>
          <p className="mb-2 flex flex-wrap items-center gap-2">
            <Badge tone={erasureStateTones[state]}>{erasureStateLabels[state]}</Badge>
            {progress && <span className="text-muted tabular">{progress}</span>}
          </p>
          <Facts erasure={erasure} requestedBy={requestedBy} />
        </div>
        {state === 'done' && <Alert className="print:hidden">{t('settings.privacy.about_receipt')}</Alert>}
        {(state === 'running' || state === 'done') && <Deleted answers={erasure.answers} />}
        {state === 'done' && remains.length > 0 && <Remains remains={remains} />}
      </div>
    </Card>
  );
}

/** An erasure; once it is done, its receipt. */
export function ErasurePage({ id }: { id: string }) {
  const now = useNow();
  const [polls, setPolls] = useState(false);
  const { data, error, isFetching, refetch } = useReadErasureQuery(id, {
    pollingInterval: polls ? erasurePollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: true,
  });
  // A receipt that is downloaded or printed names the person who requested the erasure.
  const members = useListMembersQuery();
  const isBusy = data ? isUnderWay(data, now) : false;
  if (isBusy !== polls) setPolls(isBusy);
  return (
    <>
      <Link to={privacyAddress} className="inline-flex w-fit items-center gap-1.5 text-muted hover:text-ink hover:underline print:hidden">
        <ArrowLeft className="size-4" aria-hidden />
        {t('settings.privacy.back')}
      </Link>
      {data && !members.isLoading ? (
        <Receipt erasure={data} />
      ) : error ? (
        <ErrorNote
          title={t('settings.privacy.couldnt_load_erasure')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Card>
          <Skeletons blocks={['h-10', 'h-40']} />
        </Card>
      )}
    </>
  );
}
