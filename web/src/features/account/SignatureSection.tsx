import { profileLimits } from '@tandem/contracts/values';
import { useForm, useWatch } from 'react-hook-form';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { Markdown } from '../../lib/markdown';
import { notify } from '../../lib/notify';
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
      return notify.success('Signature saved');
    }
    if (showFieldProblems(form, error) === 0) notify.problem(error, 'Couldn’t save your signature');
  });
  return (
    <Section title="Signature">
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <Field
          label="Signature"
          optional
          error={errors.signature?.message}
          hint="Added below your replies to customers. You can use Markdown."
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={profileLimits.signature}
              placeholder="Best regards,&#10;Ada"
              {...form.register('signature')}
            />
          )}
        </Field>
        {written.trim() !== '' && (
          <div className="rounded-md bg-sunken px-3 py-2" aria-label="Preview of your signature" role="group">
            <Markdown text={written} />
          </div>
        )}
        <SaveBar label="Save signature" changed={isDirty ? ['Signature'] : []} busy={isLoading} onDiscard={() => form.reset()} />
      </form>
    </Section>
  );
}
