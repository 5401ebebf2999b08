import type { ErasurePreview as Preview } from '@tandem/contracts';
import { ticketLimits } from '@tandem/contracts/values';
import { PackageOpen } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useFocusFirstError } from '../../../lib/focus-error';
import { notify } from '../../../lib/notify';
import { messageOf, problemsByInput } from '../../../lib/problem';
import { settingsSections } from '../../../lib/settings-sections';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { Rich } from '../../../ui/Rich';
import { ErasurePreview } from './ErasurePreview';
import { useExportCustomerMutation, usePreviewErasureMutation } from './privacy.api';
import { ScheduleErasure } from './ScheduleErasure';

interface Errors {
  email?: string | undefined;
  other?: string | undefined;
}

/** As the server compares addresses. */
const normalized = (email: string) => email.trim().toLowerCase();

function errorsOf(error: unknown, sentence: string): Errors {
  const { email } = problemsByInput(error);
  return email ? { email } : { other: messageOf(error, sentence) };
}

const ExportStarted = () => (
  <Alert tone="success">
    <Rich
      text={t('settings.privacy.export_started')}
      tags={{
        link: (inside) => (
          <Link to={settingsSections.export.to} className="font-medium underline underline-offset-2">
            {inside}
          </Link>
        ),
      }}
    />
  </Alert>
);

/** What an admin has typed, and what the server has returned for it. Another address hides the results of the one before. */
function useCustomer() {
  // The link on a ticket sets it in the state of the history, so that the address is in no URL.
  const [email, setEmail] = useState((useLocation().state as { customer?: string } | null)?.customer ?? '');
  const [errors, setErrors] = useState<Errors>({});
  const [previewed, setPreviewed] = useState<{ email: string; preview: Preview }>();
  const [exported, setExported] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [keyOf] = useState(keyPerText);
  const [readPreview, previewing] = usePreviewErasureMutation();
  const [createExport, exporting] = useExportCustomerMutation();
  const address = normalized(email);
  const isMissing = () => {
    if (address === '') setErrors({ email: t('settings.privacy.enter_email') });
    return address === '';
  };
  const preview = async () => {
    if (isMissing()) return;
    const { data, error } = await readPreview(address);
    setErrors(error ? errorsOf(error, t('settings.privacy.couldnt_preview')) : {});
    setPreviewed(data && { email: address, preview: data });
  };
  const exportData = async () => {
    if (isMissing()) return;
    const { error } = await createExport({ email: address, key: keyOf(`${attempt} ${address}`) });
    setErrors(error ? errorsOf(error, t('settings.privacy.couldnt_export')) : {});
    if (error) return;
    setAttempt(attempt + 1);
    setExported(address);
  };
  const reset = () => {
    setEmail('');
    setPreviewed(undefined);
    setExported(undefined);
  };
  return {
    email,
    setEmail,
    reset,
    errors,
    preview,
    exportData,
    isPreviewing: previewing.isLoading,
    isExporting: exporting.isLoading,
    previewed: previewed?.email === address ? previewed : undefined,
    isExported: exported === address,
  };
}

/** The forms that erase a customer or export their data. */
export function CustomerData() {
  const [formId, titleId] = [useId(), useId()];
  const input = useRef<HTMLInputElement>(null);
  const customer = useCustomer();
  const { errors, previewed } = customer;
  useFocusFirstError(formId, errors);
  const onScheduled = (isImmediate: boolean) => {
    customer.reset();
    input.current?.focus();
    notify.success(isImmediate ? t('settings.privacy.erasure_started') : t('settings.privacy.erasure_scheduled'));
  };
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title={t('settings.privacy.customer_data')} />
      <div className="flex flex-col gap-4 p-4">
        <p className="text-pretty text-muted">{t('settings.privacy.about_customer_data')}</p>
        <form
          id={formId}
          noValidate
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            void customer.preview();
          }}
        >
          <Field label={t('settings.privacy.customer_email')} error={errors.email} required className="max-w-md">
            {(control) => (
              <Input
                {...control}
                ref={input}
                type="email"
                autoComplete="off"
                maxLength={ticketLimits.email}
                value={customer.email}
                onChange={({ target }) => customer.setEmail(target.value)}
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" busy={customer.isPreviewing}>
              {t('settings.privacy.show_preview')}
            </Button>
            <Button busy={customer.isExporting} onClick={() => void customer.exportData()}>
              {!customer.isExporting && <PackageOpen aria-hidden />}
              {t('settings.privacy.export_data')}
            </Button>
          </div>
        </form>
        {errors.other && <Alert tone="destructive">{errors.other}</Alert>}
        {customer.isExported && <ExportStarted />}
        {previewed && (
          <>
            <ErasurePreview {...previewed} />
            <ScheduleErasure key={previewed.email} email={previewed.email} onScheduled={onScheduled} />
          </>
        )}
      </div>
    </Card>
  );
}
