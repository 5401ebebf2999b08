import type { Branding } from '@tandem/contracts';
import { brandingRules } from '@tandem/contracts/values';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { isFormProblem } from '../../../lib/form-errors';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { Textarea } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Skeletons } from '../../../ui/Skeleton';
import { Switch } from '../../../ui/Switch';
import { changedNames, changesOf, shortened, useTouched, type Draft, type PartProps } from './branding-draft';
import { useReadBrandingQuery, useSaveBrandingMutation } from '../../../app/branding.api';
import { Colors } from './Colors';
import { CustomDomain } from './CustomDomain';
import { MailTemplates } from './MailTemplates';
import { BrandImages } from './BrandImages';
import { BrandPreview } from './BrandPreview';

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={title} />
      <div className="flex flex-col gap-5 p-4">{children}</div>
    </Card>
  );
}

const StyleSheet = ({ draft, set, errorOf }: PartProps) => (
  <Field
    label={t('settings.branding.custom_css')}
    optional
    error={errorOf('custom_css')}
    hint={t('settings.branding.applied_to_your_public_pages')}
  >
    {(control) => (
      <Textarea
        {...control}
        className="min-h-40 font-mono"
        spellCheck={false}
        maxLength={brandingRules.maxCss}
        value={draft.custom_css}
        onChange={(event) => set({ custom_css: event.target.value })}
      />
    )}
  </Field>
);

function Form({ branding }: { branding: Branding }) {
  // Holds only changed fields: for all others, changes saved by other admins are shown.
  const { touched, touch, clear, dropSaved } = useTouched();
  const [wasShortened, setWasShortened] = useState(false);
  const [save, { error, isLoading, reset }] = useSaveBrandingMutation();
  const draft: Draft = { ...branding, ...touched };
  const changes = changesOf(branding, touched);
  const isRight = brandingRules.color.test(draft.primary_color) && brandingRules.color.test(draft.secondary_color);
  const part: PartProps = {
    draft,
    set: (changed) => {
      touch(changed);
      setWasShortened(false);
      if (error) reset();
    },
    errorOf: (name) => fieldProblems(error).find(({ path }) => path === name)?.message,
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await save(changes);
    if (answer.error) {
      const failed = t('settings.branding.failed_to_save_branding_settings');
      return isFormProblem(answer.error, draft) ? notify.problem(answer.error, failed) : notify.error(failed);
    }
    dropSaved(touched);
    setWasShortened(shortened(changes, answer.data));
    notify.success(t('settings.branding.branding_settings_saved_successfully'));
  };
  return (
    <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_18rem] xl:items-start">
      <form noValidate className="flex min-w-0 flex-col gap-5" onSubmit={(event) => void submit(event)}>
        <Group title={t('settings.branding.colors_and_images')}>
          <Colors {...part} />
          <BrandImages {...part} />
        </Group>
        <Group title={t('settings.branding.public_pages')}>
          <StyleSheet {...part} />
          <Switch
            label={t('settings.branding.hide_powered_by_tandem')}
            checked={draft.hide_powered_by}
            onChange={(hide_powered_by) => part.set({ hide_powered_by })}
          />
        </Group>
        <Group title={t('settings.branding.emails_to_customers')}>
          <MailTemplates {...part} />
        </Group>
        <SaveBar
          isBelowCards
          changed={changedNames(changes)}
          busy={isLoading}
          onDiscard={clear}
          isInvalid={!isRight}
          note={wasShortened && t('settings.branding.we_removed_unsupported_html')}
        />
      </form>
      <BrandPreview draft={draft} />
    </div>
  );
}

/** Colors, logo, favicon, custom CSS, 'powered by', custom domain, and email header and footer. */
export function BrandingPanel() {
  const { data, isError, isFetching, refetch } = useReadBrandingQuery();
  if (data) {
    return (
      <div className="flex flex-col gap-5">
        <Form branding={data} />
        <CustomDomain branding={data} />
      </div>
    );
  }
  return (
    <Card aria-label={t('settings.branding.branding')}>
      {isError ? (
        <ErrorNote title={t('settings.branding.failed_to_load_branding_settings')} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <Skeletons blocks={['h-8 max-w-sm', 'h-8 max-w-sm', 'h-40']} />
      )}
    </Card>
  );
}
