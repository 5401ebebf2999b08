import { useState, type ChangeEvent, type SubmitEvent } from 'react';
import { useSession } from '../../app/api';
import { notify } from '../../lib/notify';
import { isProblem, problemsByInput } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { SaveBar } from '../../ui/SaveBar';
import { useUpdateProfileMutation } from './account.api';
import { Section } from './Section';

interface Names {
  first_name: string;
  last_name: string;
}
const namesOf = (profile: { first_name: string | null; last_name: string | null }): Names => ({
  first_name: profile.first_name ?? '',
  last_name: profile.last_name ?? '',
});

/** Two fields without validation rules: a form library would account for two thirds of this page's code. */
function useNames() {
  const { profile } = useSession();
  const [update, { isLoading }] = useUpdateProfileMutation();
  const [saved, setSaved] = useState(() => namesOf(profile));
  const [names, setNames] = useState(saved);
  const [errors, setErrors] = useState<Partial<Names>>({});
  const field = (name: keyof Names) => ({
    name,
    value: names[name],
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
      setNames((before) => ({ ...before, [name]: target.value }));
      setErrors(({ [name]: _, ...others }) => others);
    },
  });
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const changes = { first_name: names.first_name.trim() || null, last_name: names.last_name.trim() || null };
    const { error } = await update(changes);
    if (!error) {
      setSaved(namesOf(changes));
      setNames(namesOf(changes));
      return notify.success(t('account.name_saved'));
    }
    if (isProblem(error) && error.status === 401) return notify.error(t('account.no_user_logged_in'));
    const { first_name, last_name } = problemsByInput(error);
    setErrors({ ...(first_name && { first_name }), ...(last_name && { last_name }) });
    if (!first_name && !last_name) notify.problem(error, t('account.couldnt_save_your_name'));
  };
  const changed = [
    ...(names.first_name === saved.first_name ? [] : [t('account.first_name')]),
    ...(names.last_name === saved.last_name ? [] : [t('account.last_name')]),
  ];
  const discard = () => {
    setNames(saved);
    setErrors({});
  };
  return { field, errors, changed, discard, isLoading, submit };
}

export function NameSection() {
  const { field, errors, changed, discard, isLoading, submit } = useNames();
  return (
    <Section title={t('account.name')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
        <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
          <Field label={t('account.first_name')} optional error={errors.first_name}>
            {(control) => <Input {...control} autoComplete="given-name" maxLength={100} {...field('first_name')} />}
          </Field>
          <Field label={t('account.last_name')} optional error={errors.last_name}>
            {(control) => <Input {...control} autoComplete="family-name" maxLength={100} {...field('last_name')} />}
          </Field>
        </div>
        <p className="text-muted">{t('account.name_is_shown_to_team_and_customers')}</p>
        <SaveBar label={t('account.save_name')} changed={changed} busy={isLoading} onDiscard={discard} />
      </form>
    </Section>
  );
}
