import type { SenderDomain } from '@tandem/contracts';
import { Copy } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { copyText } from '../../../lib/clipboard';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Rich } from '../../../ui/Rich';
import { SaveBar } from '../../../ui/SaveBar';
import { Skeleton } from '../../../ui/Skeleton';
import { Time } from '../../../ui/Time';
import {
  useCheckSenderDomainMutation,
  useDeleteSenderDomainMutation,
  useReadSenderDomainQuery,
  useRotateSenderKeyMutation,
  useSaveSenderDomainMutation,
} from './mail-settings.api';

type DnsRecord = SenderDomain['bounces']['record'];

const stateLabels: Record<NonNullable<DnsRecord['state']> | 'unchecked', [label: string, tone: BadgeTone]> = {
  found: [t('settings.mail.found'), 'green'],
  missing: [t('settings.mail.missing'), 'gray'],
  wrong: [t('settings.mail.wrong_value'), 'red'],
  unchecked: [t('settings.mail.not_checked_yet'), 'gray'],
};

function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-center gap-3">
      <dt className="w-12 shrink-0 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2 py-1 font-mono text-xs break-all">{text}</code>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('settings.mail.copy_label_text', { label: label.toLowerCase(), text })}
          onClick={() => void copyText(text)}
        >
          <Copy aria-hidden />
        </Button>
      </dd>
    </div>
  );
}

function RecordRow({ record, purpose }: { record: DnsRecord; purpose: string }) {
  const [label, tone] = stateLabels[record.state ?? 'unchecked'];
  return (
    <li className="flex flex-col gap-2 rounded-lg border p-3">
      <p className="flex flex-wrap items-center gap-2">
        <b className="font-semibold">{t('settings.mail.cname')}</b>
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted">{purpose}</span>
      </p>
      <dl className="flex flex-col gap-1.5">
        <CopyLine label={t('settings.mail.name')} text={record.name} />
        <CopyLine label={t('settings.mail.value')} text={record.value} />
      </dl>
      {record.state === 'wrong' && (
        <p className="break-all text-muted">
          <Rich
            text={t('settings.mail.this_name_has_different_value')}
            tags={{ found: () => <code className="font-mono text-xs">{record.found.join(', ')}</code> }}
          />
        </p>
      )}
    </li>
  );
}

const dmarcTexts = {
  none: t('settings.mail.your_dmarc_policy_is_none'),
  quarantine: t('settings.mail.your_dmarc_policy_is_quarantine'),
  reject: t('settings.mail.your_dmarc_policy_is_reject'),
};

/** What the third record does for the domain. It is optional: without it, the signature alone passes DMARC. */
function BounceStatus({ sender: { bounces, is_verified } }: { sender: SenderDomain }) {
  if (bounces.record.state === 'found' && !bounces.is_published)
    return <p className="text-muted">{t('settings.mail.record_for_returned_emails_waits')}</p>;
  if (!bounces.is_verified) return <p className="text-muted">{t('settings.mail.third_record_is_optional')}</p>;
  return is_verified ? <p className="text-muted">{t('settings.mail.undeliverable_emails_are_returned')}</p> : null;
}

/** The DMARC record is the organization's own: it is only explained. */
function Dmarc({ dmarc, isVerified }: { dmarc: SenderDomain['dmarc']; isVerified: boolean }) {
  const signed = isVerified ? ' Our emails pass it, because they are signed for your domain.' : '';
  if (dmarc.policy) return <p className="text-muted">{dmarcTexts[dmarc.policy] + signed}</p>;
  return (
    <p className="text-muted">
      {dmarc.record === null ? (
        <Rich
          text={t('settings.mail.your_domain_has_no_dmarc_record')}
          tags={{ name: () => <code>{dmarc.name}</code>, code: (inside) => <code>{inside}</code> }}
        />
      ) : (
        <Rich
          text={t('settings.mail.dmarc_record_has_no_valid_policy')}
          tags={{ name: () => <code>{dmarc.name}</code>, code: (inside) => <code>{inside}</code> }}
        />
      )}
    </p>
  );
}

function Status({ sender }: { sender: SenderDomain }) {
  const inUse = sender.records.find(({ is_in_use }) => is_in_use);
  if (sender.is_verified) return <p>{t('settings.mail.emails_to_customers_come_from_address', { address: sender.address })}</p>;
  if (inUse?.state === 'found' && !sender.is_key_published)
    return (
      <Alert>
        <Rich text={t('settings.mail.key_isnt_published_yet')} tags={{ b: (inside) => <b className="font-semibold">{inside}</b> }} />
      </Alert>
    );
  return <p className="text-muted">{t('settings.mail.until_first_record_is_found')}</p>;
}

const splitAddress = (text: string): { local_part: string; domain: string } => {
  const at = text.lastIndexOf('@');
  return at < 0 ? { local_part: 'support', domain: text } : { local_part: text.slice(0, at), domain: text.slice(at + 1) };
};

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedAddress = createExternalStore<string | null>(() => null);

/** The address, and the records and keys of its domain. */
function AddressForm({ saved, children }: { saved: string; children: ReactNode }) {
  const typed = unsavedAddress.use();
  const [save, { error, isLoading, reset }] = useSaveSenderDomainMutation();
  const text = typed ?? saved;
  const address = text.trim().toLowerCase();
  const change = (value: string | null) => {
    unsavedAddress.set(value);
    if (error) reset();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save(splitAddress(address));
    if (answer.error) return;
    if (unsavedAddress.get() === typed) unsavedAddress.set(null);
    notify.success(t('settings.mail.settings_saved'));
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label={t('settings.mail.sender_address')}
        className="w-full max-w-md"
        error={error ? (fieldProblems(error)[0]?.message ?? messageOf(error, t('settings.mail.failed_to_save_settings'))) : undefined}
        hint={t('settings.mail.sender_address_hint')}
      >
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </Field>
      {children}
      <SaveBar
        label={t('settings.mail.save_address')}
        changed={address === saved ? [] : [t('settings.mail.sender_address')]}
        busy={isLoading}
        isInvalid={address === ''}
        onDiscard={() => change(null)}
      />
    </form>
  );
}

function Actions({ sender }: { sender: SenderDomain }) {
  const [check, checking] = useCheckSenderDomainMutation();
  const [rotate, rotating] = useRotateSenderKeyMutation();
  const [remove, removing] = useDeleteSenderDomainMutation();
  const [asked, setAsked] = useState<'rotate' | 'remove' | null>(null);
  const { checked_at } = sender;
  const checkNow = async () => {
    const { error } = await check();
    if (error) notify.problem(error, t('settings.mail.failed_to_check_dns_records'));
  };
  const confirm = async () => {
    const isRotation = asked === 'rotate';
    const { error } = await (isRotation ? rotate() : remove());
    setAsked(null);
    if (error)
      notify.problem(error, isRotation ? t('settings.mail.failed_to_generate_new_key') : t('settings.mail.failed_to_remove_domain'));
    else notify.success(isRotation ? t('settings.mail.new_key_generated') : t('settings.mail.domain_removed'));
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button busy={checking.isLoading} onClick={() => void checkNow()}>
        {t('settings.mail.check_now')}
      </Button>
      <Button disabled={sender.is_rotating} onClick={() => setAsked('rotate')}>
        {sender.is_rotating ? t('settings.mail.new_key_is_waiting') : t('settings.mail.replace_key')}
      </Button>
      <Button onClick={() => setAsked('remove')}>{t('settings.mail.remove')}</Button>
      {checked_at && (
        <span className="text-xs text-muted">
          <Rich text={t('settings.mail.checked')} tags={{ time: () => <Time iso={checked_at} relative /> }} />
        </span>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={asked === 'rotate' ? t('settings.mail.replace_signing_key') : t('settings.mail.remove_this_domain')}
        description={
          asked === 'rotate' ? t('settings.mail.current_key_stays_in_use') : t('settings.mail.emails_to_customers_come_from_our')
        }
        action={asked === 'rotate' ? t('settings.mail.replace_key') : t('settings.mail.remove')}
        busy={rotating.isLoading || removing.isLoading}
        onConfirm={() => void confirm()}
      />
    </div>
  );
}

function Details({ sender }: { sender: SenderDomain }) {
  return (
    <>
      <Status sender={sender} />
      <ul className="flex flex-col gap-3" aria-label={t('settings.mail.dns_records')}>
        {sender.records.map((record) => (
          <RecordRow
            key={record.name}
            record={record}
            purpose={record.is_in_use ? t('settings.mail.signs_your_emails') : t('settings.mail.what_second_record_does')}
          />
        ))}
        <RecordRow record={sender.bounces.record} purpose={t('settings.mail.what_third_record_does')} />
      </ul>
      <BounceStatus sender={sender} />
      {sender.checked_at && <Dmarc dmarc={sender.dmarc} isVerified={sender.is_verified} />}
      <Actions sender={sender} />
    </>
  );
}

/** The organization's own domain for emails to customers, with the DNS records that it needs. */
export function SenderDomainCard() {
  const { data: sender, error, isFetching, refetch } = useReadSenderDomainQuery();
  const badge = sender && (
    <Badge tone={sender.is_verified ? 'green' : 'gray'}>
      {sender.is_verified ? t('settings.mail.verified') : t('settings.mail.waiting_for_dns')}
    </Badge>
  );
  return (
    <Card aria-labelledby="sender-domain">
      <CardHeader id="sender-domain" title={t('settings.mail.sender_domain')} actions={badge} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">{t('settings.mail.what_sender_domain_does')}</p>
        {error && sender === undefined ? (
          <ErrorNote
            title={t('settings.mail.couldnt_load_settings')}
            detail={messageOf(error, '')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : sender === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <AddressForm saved={sender?.address ?? ''}>{sender && <Details sender={sender} />}</AddressForm>
        )}
      </div>
    </Card>
  );
}
