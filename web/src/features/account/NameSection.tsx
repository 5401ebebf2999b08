import { useForm } from 'react-hook-form';
import { useSession } from '../../app/api';
import { showFieldProblems } from '../../lib/form-errors';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useUpdateProfileMutation } from './account.api';
import { Section } from './Section';

interface Names {
  first_name: string;
  last_name: string;
}

export function NameSection() {
  const { profile } = useSession();
  const [update, { isLoading }] = useUpdateProfileMutation();
  const form = useForm<Names>({ defaultValues: { first_name: profile.first_name ?? '', last_name: profile.last_name ?? '' } });
  const { errors, isDirty } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    const changes = { first_name: values.first_name.trim() || null, last_name: values.last_name.trim() || null };
    const { error } = await update(changes);
    if (!error) {
      form.reset({ first_name: changes.first_name ?? '', last_name: changes.last_name ?? '' });
      return notify.success('Name saved');
    }
    if (isProblem(error) && error.status === 401) return notify.error('No user logged in');
    if (showFieldProblems(form, error) === 0) notify.problem(error, 'Couldn’t save your name');
  });
  return (
    <Section title="Name">
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <Field label="First name" optional error={errors.first_name?.message}>
            {(control) => <Input {...control} autoComplete="given-name" maxLength={100} {...form.register('first_name')} />}
          </Field>
          <Field label="Last name" optional error={errors.last_name?.message}>
            {(control) => <Input {...control} autoComplete="family-name" maxLength={100} {...form.register('last_name')} />}
          </Field>
        </div>
        <p className="text-muted">Shown to your team and on replies to customers.</p>
        <Button type="submit" variant="primary" className="self-start" busy={isLoading} disabled={!isDirty}>
          Save name
        </Button>
      </form>
    </Section>
  );
}
