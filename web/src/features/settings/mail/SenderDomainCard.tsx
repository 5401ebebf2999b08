import type { SenderDomain } from '@tandem/contracts';
import { Copy } from 'lucide-react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { copyText } from '../../../lib/clipboard';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems, messageOf } from '../../../lib/problem';
import { Alert } from '../../../ui/Alert';
import { Badge, type BadgeTone } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
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

type SenderRecord = SenderDomain['records'][number];

const stateLabels: Record<NonNullable<SenderRecord['state']> | 'unchecked', [label: string, tone: BadgeTone]> = {
  found: ['Found', 'green'],
  missing: ['Missing', 'gray'],
  wrong: ['Wrong value', 'red'],
  unchecked: ['Not checked yet', 'gray'],
};

function CopyLine({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex items-center gap-3">
      <dt className="w-12 shrink-0 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2 py-1 font-mono text-xs break-all">{text}</code>
        <Button variant="ghost" size="icon" aria-label={`Copy the ${label.toLowerCase()} ${text}`} onClick={() => void copyText(text)}>
          <Copy aria-hidden />
        </Button>
      </dd>
    </div>
  );
}

function RecordRow({ record }: { record: SenderRecord }) {
  const [label, tone] = stateLabels[record.state ?? 'unchecked'];
  return (
    <li className="flex flex-col gap-2 rounded-lg border p-3">
      <p className="flex flex-wrap items-center gap-2">
        <b className="font-semibold">CNAME</b>
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted">{record.is_in_use ? 'Signs your emails' : 'Lets us replace the key without your help'}</span>
      </p>
      <dl className="flex flex-col gap-1.5">
        <CopyLine label="Name" text={record.name} />
        <CopyLine label="Value" text={record.value} />
      </dl>
      {record.state === 'wrong' && (
        <p className="break-all text-muted">
          This name has a different value: <code className="font-mono text-xs">{record.found.join(', ')}</code>
        </p>
      )}
    </li>
  );
}

const dmarcTexts = {
  none: 'Your DMARC policy is “none”: receivers deliver emails that fail the check and report them to you.',
  quarantine: 'Your DMARC policy is “quarantine”: receivers move emails that fail the check to spam.',
  reject: 'Your DMARC policy is “reject”: receivers refuse emails that fail the check.',
};

/** The DMARC record is the organization's own: it is only explained. */
function Dmarc({ dmarc, isVerified }: { dmarc: SenderDomain['dmarc']; isVerified: boolean }) {
  const signed = isVerified ? ' Our emails pass it, because they are signed for your domain.' : '';
  if (dmarc.policy) return <p className="text-muted">{dmarcTexts[dmarc.policy] + signed}</p>;
  return (
    <p className="text-muted">
      {dmarc.record === null ? 'Your domain has no DMARC record.' : 'Your DMARC record has no valid policy.'} Large providers ask senders
      for one. To start without affecting delivery, add a TXT record named <code>{dmarc.name}</code> with the value{' '}
      <code>v=DMARC1; p=none</code>.
    </p>
  );
}

function Status({ sender }: { sender: SenderDomain }) {
  const inUse = sender.records.find(({ is_in_use }) => is_in_use);
  if (sender.is_verified) return <p>Emails to customers come from {sender.address}.</p>;
  if (inUse?.state === 'found' && !sender.is_key_published)
    return (
      <Alert>
        <b className="font-semibold">Your record is correct, but the key isn’t published yet.</b> The operator of this installation
        publishes it. Until then, emails come from our domain with your name.
      </Alert>
    );
  return <p className="text-muted">Until the first record is found, emails come from our domain with your name.</p>;
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
    notify.success('Settings saved!');
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label="Sender address"
        className="w-full max-w-md"
        error={error ? (fieldProblems(error)[0]?.message ?? messageOf(error, 'Failed to save settings')) : undefined}
        hint="For example support@example.com, on a domain whose DNS records you can change."
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
        label="Save address"
        changed={address === saved ? [] : ['Sender address']}
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
  const checkNow = async () => {
    const { error } = await check();
    if (error) notify.problem(error, 'Failed to check the DNS records');
  };
  const confirm = async () => {
    const isRotation = asked === 'rotate';
    const { error } = await (isRotation ? rotate() : remove());
    setAsked(null);
    if (error) notify.problem(error, isRotation ? 'Failed to generate a new key' : 'Failed to remove the domain');
    else notify.success(isRotation ? 'New key generated' : 'Domain removed');
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button busy={checking.isLoading} onClick={() => void checkNow()}>
        Check now
      </Button>
      <Button disabled={sender.is_rotating} onClick={() => setAsked('rotate')}>
        {sender.is_rotating ? 'New key is waiting for DNS' : 'Replace the key'}
      </Button>
      <Button onClick={() => setAsked('remove')}>Remove</Button>
      {sender.checked_at && (
        <span className="text-xs text-muted">
          Checked <Time iso={sender.checked_at} relative />
        </span>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => !isOpen && setAsked(null)}
        title={asked === 'rotate' ? 'Replace the signing key?' : 'Remove this domain?'}
        description={
          asked === 'rotate'
            ? 'The current key stays in use until the new one is in DNS.'
            : 'Emails to customers come from our domain again. Its keys are deleted.'
        }
        action={asked === 'rotate' ? 'Replace the key' : 'Remove'}
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
      <ul className="flex flex-col gap-3" aria-label="DNS records">
        {sender.records.map((record) => (
          <RecordRow key={record.name} record={record} />
        ))}
      </ul>
      {sender.checked_at && <Dmarc dmarc={sender.dmarc} isVerified={sender.is_verified} />}
      <Actions sender={sender} />
    </>
  );
}

/** The organization's own domain for emails to customers, with the DNS records that it needs. */
export function SenderDomainCard() {
  const { data: sender, error, isFetching, refetch } = useReadSenderDomainQuery();
  const badge = sender && <Badge tone={sender.is_verified ? 'green' : 'gray'}>{sender.is_verified ? 'Verified' : 'Waiting for DNS'}</Badge>;
  return (
    <Card aria-labelledby="sender-domain">
      <CardHeader id="sender-domain" title="Sender domain" actions={badge} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-muted">Send emails to customers from your own domain. Two CNAME records let us sign them for it (DKIM).</p>
        {error && sender === undefined ? (
          <ErrorNote title="Couldn’t load the settings" detail={messageOf(error, '')} busy={isFetching} onRetry={() => void refetch()} />
        ) : sender === undefined ? (
          <Skeleton className="h-24" />
        ) : (
          <AddressForm saved={sender?.address ?? ''}>{sender && <Details sender={sender} />}</AddressForm>
        )}
      </div>
    </Card>
  );
}
