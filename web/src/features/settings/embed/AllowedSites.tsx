import type { WidgetSettings } from '@tandem/contracts';
import { useId, type SyntheticEvent } from 'react';
import { createExternalStore } from '../../../lib/external-store';
import { notify } from '../../../lib/notify';
import { fieldProblems } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { SaveBar } from '../../../ui/SaveBar';
import { Skeleton } from '../../../ui/Skeleton';
import { TagInput } from '../../../ui/TagInput';
import { useReadWidgetSettingsQuery, useSaveWidgetSettingsMutation } from './widget.api';

const maxSites = 50;

/** Sites on which browsers may show the widget frame. */
export function AllowedSites() {
  const id = useId();
  const { data: settings, error, refetch, isFetching } = useReadWidgetSettingsQuery();
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.embed.allowed_sites')} />
      <div className="p-4">
        {error && !settings && (
          <ErrorNote title={t('settings.embed.couldnt_load_settings')} onRetry={() => void refetch()} busy={isFetching} />
        )}
        {!error && !settings && <Skeleton className="h-24" />}
        {settings && <SitesForm settings={settings} />}
      </div>
    </Card>
  );
}

/** Undefined until the user changes them: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedSites = createExternalStore<string[] | undefined>(() => undefined);

function SitesForm({ settings }: { settings: WidgetSettings }) {
  const draft = unsavedSites.use();
  const sites = draft ?? settings.allowed_sites;
  const [save, { isLoading, error, reset }] = useSaveWidgetSettingsMutation();
  const wrong = fieldProblems(error).find(({ path }) => path.startsWith('allowed_sites'));
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const answer = await save({ allowed_sites: sites, identity_required: settings.identity_required });
    if (answer.error) {
      if (fieldProblems(answer.error).length === 0) notify.problem(answer.error, t('settings.embed.failed_to_save_sites'));
      return;
    }
    // Sites added during the request are not saved yet.
    if (unsavedSites.get() === draft) unsavedSites.set(undefined);
    notify.success(t('settings.embed.allowed_sites_saved'));
  };
  const change = (next: string[] | undefined) => {
    unsavedSites.set(next);
    if (error) reset();
  };
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
      <Field
        label={t('settings.embed.sites_that_may_show_widget')}
        hint={t('settings.embed.allowed_sites_hint')}
        error={wrong && `${siteOf(wrong.path, sites)}${wrong.message}`}
      >
        {(control) => <TagInput control={control} value={sites} onChange={change} max={maxSites} maxLength={200} />}
      </Field>
      <SaveBar
        label={t('settings.embed.save_sites')}
        changed={sites.join() === settings.allowed_sites.join() ? [] : [t('settings.embed.allowed_sites')]}
        busy={isLoading}
        onDiscard={() => change(undefined)}
      />
    </form>
  );
}

/** The site that an error is about: the server reports its index. */
function siteOf(path: string, sites: string[]): string {
  const site = sites[Number(path.split('.')[1])];
  return site ? `${site}: ` : '';
}
