import type { Branding } from '@tandem/contracts';
import { customDomainRules } from '@tandem/contracts/values';
import { CircleCheck, Copy } from 'lucide-react';
import { useId, type FormEvent } from 'react';
import { copyText } from '../../../lib/clipboard';
import { formatDay } from '../../../lib/dates';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems, isProblem, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Alert } from '../../../ui/Alert';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Rich } from '../../../ui/Rich';
import { SaveBar } from '../../../ui/SaveBar';
import { useSaveBrandingMutation, useVerifyCustomDomainMutation } from '../../../app/branding.api';

function Line({ label, text }: { label: string; text: string }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <dt className="w-14 text-muted">{label}</dt>
      <dd className="flex min-w-0 flex-1 items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2 py-1 font-mono text-xs break-all">{text}</code>
        <Button
          variant="ghost"
          size="icon"
          aria-label={t('settings.branding.copy_label', { label: label.toLowerCase() })}
          onClick={() => void copyText(text)}
        >
          <Copy aria-hidden />
        </Button>
      </dd>
    </div>
  );
}

/** The DNS record that proves ownership of the domain, and the button that checks it. */
function Proof({ record }: { record: { name: string; value: string } }) {
  const [verify, { error, isLoading }] = useVerifyCustomDomainMutation();
  const look = async () => {
    const answer = await verify();
    if (!answer.error) notify.success(t('settings.branding.domain_verified'));
  };
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-muted">{t('settings.branding.add_txt_record')}</p>
      <dl className="flex w-full flex-col gap-2">
        <Line label={t('settings.branding.name')} text={record.name} />
        <Line label={t('settings.branding.value')} text={record.value} />
      </dl>
      {error && <Alert tone="destructive">{messageOf(error, t('settings.branding.failed_to_verify_domain'))}</Alert>}
      <Button busy={isLoading} onClick={() => void look()}>
        {t('settings.branding.verify')}
      </Button>
    </div>
  );
}

const dayMs = 86_400_000;
const dayAfter = (since: string, days: number): string => formatDay(new Date(Date.parse(since) + days * dayMs).toISOString());

/** The daily check did not find the DNS record of a verified domain: shows the deadlines, and how to fix it. */
function MissingRecord({ since, isLapsed }: { since: string; isLapsed: boolean }) {
  const { lapseDays, releaseDays } = customDomainRules;
  return (
    <Alert tone={isLapsed ? 'destructive' : undefined}>
      {isLapsed ? (
        <Rich
          text={t('settings.branding.dns_record_has_been_missing', { day: formatDay(since), dayAfter: dayAfter(since, releaseDays) })}
          tags={{ b: (inside) => <b className="font-semibold">{inside}</b> }}
        />
      ) : (
        <Rich
          text={t('settings.branding.dns_record_has_been_missing_since', { day: formatDay(since), dayAfter: dayAfter(since, lapseDays) })}
          tags={{ b: (inside) => <b className="font-semibold">{inside}</b> }}
        />
      )}
    </Alert>
  );
}

/** The server's error about this domain from saving. */
const refusalOf = (error: unknown): string | undefined =>
  isProblem(error) && error.code === 'custom_domain.taken'
    ? messageOf(error, '')
    : fieldProblems(error).find(({ path }) => path === 'custom_domain')?.message;

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedDomain = createExternalStore<string | null>(() => null);

/** The unsaved domain, and saving it. */
function useDomain(saved: string) {
  const typed = unsavedDomain.use();
  const [save, { error, isLoading, reset }] = useSaveBrandingMutation();
  const text = typed ?? saved;
  const domain = text.trim().toLowerCase();
  const change = (value: string | null) => {
    unsavedDomain.set(value);
    if (error) reset();
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save({ custom_domain: domain === '' ? null : domain });
    if (answer.error)
      return refusalOf(answer.error) ?? notify.problem(answer.error, t('settings.branding.failed_to_save_branding_settings'));
    if (unsavedDomain.get() === typed) unsavedDomain.set(null);
    notify.success(t('settings.branding.branding_settings_saved_successfully'));
  };
  return { text, isChanged: domain !== saved, change, submit, refusal: refusalOf(error), isLoading };
}

/** The organization's own host name. Saved separately from the rest, because it has to be verified separately. */
export function CustomDomain({ branding }: { branding: Branding }) {
  const id = useId();
  const { custom_domain: saved, custom_domain_verified: isVerified, custom_domain_missing_since: missingSince } = branding;
  const { text, isChanged, change, submit, refusal, isLoading } = useDomain(saved ?? '');
  const badge = isVerified && !missingSince && (
    <Badge>
      <CircleCheck className="size-3.5" aria-hidden />
      {t('settings.branding.verified')}
    </Badge>
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.branding.custom_domain')} actions={badge} />
      <form noValidate className="flex flex-col gap-5 p-4" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('settings.branding.domain')}
          optional
          className="w-full max-w-md"
          error={refusal}
          hint={t('settings.branding.custom_domain_hint')}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={253}
              value={text}
              onChange={(event) => change(event.target.value)}
            />
          )}
        </Field>
        {isVerified && isChanged && (
          <Alert>
            <Rich
              text={t('settings.branding.stops_working_when_you_save')}
              tags={{ saved: () => <b className="font-semibold">{saved}</b> }}
            />
          </Alert>
        )}
        {missingSince && <MissingRecord since={missingSince} isLapsed={!isVerified} />}
        {/* The record of the saved domain; hidden while the field contains another domain. */}
        {branding.custom_domain_record && (!isVerified || missingSince) && !isChanged && <Proof record={branding.custom_domain_record} />}
        <SaveBar
          label={t('settings.branding.save_domain')}
          changed={isChanged ? [t('settings.branding.domain')] : []}
          busy={isLoading}
          onDiscard={() => change(null)}
        />
      </form>
    </Card>
  );
}
