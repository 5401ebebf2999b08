import type { Organization } from '@tandem/contracts';
import { deletionRules } from '@tandem/contracts/values';
import { useEffect, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { useRequestOrganizationDeletionMutation } from '../../app/organization-deletion.api';
import { formatMoment } from '../../lib/dates';
import { showFieldProblems } from '../../lib/form-errors';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { PasswordInput } from '../../ui/PasswordInput';
import { Rich } from '../../ui/Rich';

interface DeleteOrganizationDialogProps {
  organization: Organization;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const empty = { name: '', current_password: '' };

function useDeletionForm(id: string, open: boolean, onRequested: () => void) {
  const [request, { error, isLoading, reset }] = useRequestOrganizationDeletionMutation();
  const form = useForm({ defaultValues: empty });
  // A password must not stay in a closed dialog.
  useEffect(() => {
    if (open) return;
    form.reset(empty);
    reset();
  }, [open, form, reset]);
  const submit = form.handleSubmit(async (values) => {
    const answer = await request({ id, ...values });
    if (answer.error) {
      if (isProblem(answer.error) && answer.error.code === 'password.wrong')
        form.setError('current_password', { message: messageOf(answer.error, '') }, { shouldFocus: true });
      return showFieldProblems(form, answer.error);
    }
    onRequested();
    notify.success(t('team.deletion_is_requested', { date: formatMoment(answer.data.deletion_at ?? '') }));
  });
  return { form, error, isLoading, submit };
}

/** Users of single sign-on may never have had a password. The link to set one confirms that they own the mailbox. */
function PasswordHint() {
  const { profile } = useSession();
  const link = (inside: ReactNode) => (
    <Link to="/auth/forgot-password" state={{ email: profile.email }} className="text-accent-text underline underline-offset-2">
      {inside}
    </Link>
  );
  return (
    <p className="text-muted">
      <Rich text={t('team.no_password_yet')} tags={{ link }} />
    </p>
  );
}

/** The two confirmations: the name of the organization, and the password of the admin. */
export function DeleteOrganizationDialog({ organization: { id, name }, open, onOpenChange }: DeleteOrganizationDialogProps) {
  const { form, error, isLoading, submit } = useDeletionForm(id, open, () => onOpenChange(false));
  const { errors } = form.formState;
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('team.delete_organization_name', { name })}
      description={t('team.what_deletion_means', { days: deletionRules.days })}
    >
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        {error && Object.keys(errors).length === 0 && (
          <Alert tone="destructive">{messageOf(error, t('team.couldnt_request_deletion'))}</Alert>
        )}
        <Field label={t('team.organization_name')} required hint={t('team.type_name_to_confirm', { name })} error={errors.name?.message}>
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              {...form.register('name', {
                validate: (typed) => typed.trim().normalize('NFC') === name.normalize('NFC') || t('team.type_name_exactly', { name }),
              })}
            />
          )}
        </Field>
        <Field label={t('team.current_password')} required error={errors.current_password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              autoComplete="current-password"
              {...form.register('current_password', { required: t('team.enter_your_current_password') })}
            />
          )}
        </Field>
        <PasswordHint />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>{t('team.keep_organization')}</Button>
          <Button type="submit" variant="danger" busy={isLoading}>
            {t('team.delete_in_days', { days: deletionRules.days })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
