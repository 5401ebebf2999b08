import type { Organization } from '@tandem/contracts';
import { subdomainRule } from '@tandem/contracts/values';
import { CircleCheck, Copy, LoaderCircle } from 'lucide-react';
import { useId } from 'react';
import { copyText } from '../../lib/clipboard';
import { createExternalStore } from '../../lib/external-store';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Rich } from '../../ui/Rich';
import { SaveBar } from '../../ui/SaveBar';
import { portalAddress } from '../../lib/portal-address';
import { readSite } from '../../lib/site';
import { useUpdateOrganizationMutation } from './team.api';
import { useSubdomainCheck, type SubdomainState } from './use-subdomain-check';

/** Availability while typing, announced to screen readers; errors are shown below the field instead. */
function Availability({ state }: { state: SubdomainState }) {
  return (
    <p role="status" className="flex min-h-4 items-center gap-1 text-xs text-muted [&_svg]:size-3.5">
      {state === 'checking' && (
        <>
          <LoaderCircle className="animate-spin" aria-hidden />
          {t('team.checking_availability')}
        </>
      )}
      {state === 'available' && (
        <span className="flex items-center gap-1 text-green-text">
          <CircleCheck aria-hidden />
          {t('team.available')}
        </span>
      )}
      {state === 'none' && !readSite().singlePortal ? t('team.organization_has_no_portal') : ''}
    </p>
  );
}

function PortalAddress({ address, isSaved }: { address: string; isSaved: boolean }) {
  return (
    <div className="w-full">
      <p className="mb-1 font-medium">{t('team.portal_address')}</p>
      <div className="flex max-w-full items-center gap-2">
        <code className="min-w-0 rounded-md border bg-sunken px-2.5 py-1.5 font-mono text-xs break-all">{address}</code>
        <Button variant="ghost" size="icon" aria-label={t('team.copy_portal_address')} onClick={() => void copyText(address)}>
          <Copy aria-hidden />
        </Button>
      </div>
      <p className="mt-1 text-xs text-muted">{isSaved ? t('team.what_portal_is') : t('team.subdomain_works_when_saved')}</p>
    </div>
  );
}

const BrokenLinks = ({ subdomain }: { subdomain: string }) => (
  <Alert>
    <Rich text={t('team.old_subdomain_stops_working')} tags={{ subdomain: () => <b className="font-semibold">{subdomain}</b> }} />
  </Alert>
);

/** The portal's address, and a warning if a change breaks it. The address of a single organization does not contain the subdomain. */
function Portal({ subdomain, stored, state }: { subdomain: string; stored: string; state: SubdomainState }) {
  const { singlePortal } = readSite();
  if (singlePortal) return <PortalAddress address={singlePortal} isSaved />;
  if (state === 'taken') return null;
  const isRight = subdomainRule.pattern.test(subdomain);
  return (
    <>
      {isRight && <PortalAddress address={portalAddress(subdomain, stored)} isSaved={state === 'unchanged'} />}
      {stored !== '' && state !== 'unchanged' && <BrokenLinks subdomain={stored} />}
    </>
  );
}

/** The server's error about this subdomain from saving. */
const refusalOf = (error: unknown): string | undefined =>
  isProblem(error) && (error.code === 'subdomain.taken' || error.status === 422)
    ? (error.errors?.[0]?.message ?? messageOf(error, subdomainRule.message))
    : undefined;

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedSubdomain = createExternalStore<string | null>(() => null);

export function SubdomainCard({ organization }: { organization: Organization }) {
  const id = useId();
  const stored = organization.subdomain ?? '';
  const typed = unsavedSubdomain.use();
  const [update, { error, isLoading, reset }] = useUpdateOrganizationMutation();
  const text = typed ?? stored;
  const subdomain = text.trim();
  const { state, message } = useSubdomainCheck(subdomain, stored);
  const save = async () => {
    const answer = await update({ id: organization.id, changes: { subdomain: subdomain === '' ? null : subdomain } });
    if (answer.error) return refusalOf(answer.error) ?? notify.problem(answer.error, t('team.failed_to_save_settings'));
    if (unsavedSubdomain.get() === typed) unsavedSubdomain.set(null);
    notify.success(t('team.settings_saved'));
  };
  const change = (value: string | null) => {
    unsavedSubdomain.set(value?.toLowerCase() ?? null);
    if (error) reset();
  };
  const isTaken = state === 'taken';
  const isRight = subdomainRule.pattern.test(subdomain);
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.portal')} />
      <form
        className="flex flex-col items-start gap-4 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <div className="flex w-full max-w-md flex-col gap-1">
          <Field label={t('team.subdomain')} optional error={refusalOf(error) ?? message}>
            {(control) => (
              <Input
                {...control}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                value={text}
                onChange={(event) => change(event.target.value)}
              />
            )}
          </Field>
          <Availability state={state} />
        </div>
        <Portal subdomain={subdomain} stored={stored} state={state} />
        <SaveBar
          label={t('team.save_subdomain')}
          changed={subdomain === stored ? [] : [t('team.subdomain')]}
          busy={isLoading}
          isInvalid={isTaken || (subdomain !== '' && !isRight)}
          onDiscard={() => change(null)}
        />
      </form>
    </Card>
  );
}
