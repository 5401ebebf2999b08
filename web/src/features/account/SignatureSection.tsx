import { profileLimits } from '@tandem/contracts/values';
import { useForm, useWatch } from 'react-hook-form';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { Markdown } from '../../lib/markdown';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Field } from '../../ui/Field';
import { Textarea } from '../../ui/Input';
import { SaveBar } from '../../ui/SaveBar';
import { useUpdateProfileMutation } from './account.api';
import { Section } from './Section';

/** The text that the app adds below the user's replies to customers. */
export function SignatureSection() {
  const { profile } = useSession();
  const [update, { isLoading }] = useUpdateProfileMutation();
  const form = useForm({ defaultValues: { signature: profile.signature ?? '' } });
  const { errors, isDirty } = form.formState;
  const written = useWatch({ control: form.control, name: 'signature' });
  const submit = form.handleSubmit(async ({ signature }) => {
    const { error } = await update({ signature: signature.trim() || null });
    if (!error) {
      form.reset({ signature: signature.trim() });
      return notify.success(t('account.signature_saved'));
    }
    if (showFieldProblems(form, error) === 0) notify.problem(error, t('account.couldnt_save_your_signature'));
  });
  return (
    <Section title={t('account.signature')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label={t('account.signature')}
          optional
          error={errors.signature?.message}
          hint={t('account.added_below_your_replies_to_customers')}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={profileLimits.signature}
              placeholder={t('account.best_regards_ada')}
              {...form.register('signature')}
            />
          )}
        </Field>
        {written.trim() !== '' && (
          <div className="rounded-md bg-sunken px-3 py-2" aria-label={t('account.preview_of_your_signature')} role="group">
            <Markdown text={written} />
          </div>
        )}
        <SaveBar
          label={t('account.save_signature')}
          changed={isDirty ? [t('account.signature')] : []}
          busy={isLoading}
          onDiscard={() => form.reset()}
        />
      </form>
    </Section>
  );
}
