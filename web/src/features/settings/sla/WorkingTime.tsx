import type { Organization } from '@tandem/contracts';
import type { TicketPriority } from '@tandem/contracts/values';
import { useId, type FormEvent } from 'react';
import { useSession } from '../../../app/api';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { priorityOptions } from '../../../lib/ticket-badges';
import { Card, CardHeader } from '../../../ui/Card';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { SaveBar } from '../../../ui/SaveBar';
import { Select } from '../../../ui/Select';
import { Skeletons } from '../../../ui/Skeleton';
import { Switch } from '../../../ui/Switch';
import { TimeZoneInput } from '../../../ui/TimeZoneInput';
import { BusinessHours } from './BusinessHours';
import { Holidays } from './Holidays';
import { useReadWorkingTimeQuery, useSaveWorkingTimeMutation } from './sla-settings.api';
import { changedNames, changesOf, officeHours, problemOfHours, unsavedWorkingTime, type WorkingTime as Settings } from './working-time';

interface PartProps {
  settings: Settings;
  set: (changes: Partial<Settings>) => void;
}

const TimeZone = ({ settings, set }: PartProps) => (
  <Field label={t('settings.sla.time_zone')} hint={t('settings.sla.what_time_zone_is_for')} className="max-w-sm">
    {(control) => <TimeZoneInput {...control} value={settings.time_zone} onChange={(time_zone) => set({ time_zone })} />}
  </Field>
);

function When({ settings, set }: PartProps) {
  const { business_hours: hours, holidays } = settings;
  return (
    <>
      <div>
        <Switch
          label={t('settings.sla.count_business_hours_only')}
          checked={hours !== null}
          onChange={(on) => set({ business_hours: on ? officeHours : null })}
        />
        <p className="mt-1 text-muted">
          {hours ? t('settings.sla.sla_timers_pause_outside_them') : t('settings.sla.sla_timers_run_around_clock')}
        </p>
      </div>
      {hours && <BusinessHours hours={hours} onChange={(business_hours) => set({ business_hours })} />}
      {hours && <Holidays holidays={holidays} onChange={(changed) => set({ holidays: changed })} />}
    </>
  );
}

function NewTickets({ settings, set }: PartProps) {
  return (
    <>
      <Field label={t('settings.sla.default_priority')} hint={t('settings.sla.what_default_priority_is_for')} className="max-w-sm">
        {(control) => (
          <Select
            {...control}
            value={settings.default_priority}
            options={priorityOptions}
            onChange={(value) => set({ default_priority: value as TicketPriority })}
          />
        )}
      </Field>
      <div>
        <Switch
          label={t('settings.sla.assign_new_tickets_automatically')}
          checked={settings.auto_assign}
          onChange={(auto_assign) => set({ auto_assign })}
        />
        <p className="mt-1 text-muted">{t('settings.sla.how_tickets_are_assigned')}</p>
      </div>
    </>
  );
}

function Form({ organization }: { organization: Organization }) {
  const id = useId();
  // Holds only changed fields: for all others, changes saved by other admins are shown.
  const draft = unsavedWorkingTime.use();
  const setDraft = unsavedWorkingTime.set;
  const [save, { isLoading }] = useSaveWorkingTimeMutation();
  const settings: Settings = { ...organization, ...draft };
  const changes = changesOf(organization, draft);
  const problem = settings.business_hours ? problemOfHours(settings.business_hours) : undefined;
  const part = { settings, set: (changed: Partial<Settings>) => setDraft({ ...draft, ...changed }) };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await save({ id: organization.id, changes });
    if (error) return notify.problem(error, t('settings.sla.failed_to_save_settings'));
    // Changes made during the request are not saved yet.
    setDraft(changesOf(settings, unsavedWorkingTime.get()));
    notify.success(t('settings.sla.settings_saved'));
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.sla.working_time_and_new_tickets')} />
      <form noValidate className="flex flex-col gap-5 p-4" onSubmit={(event) => void submit(event)}>
        <TimeZone {...part} />
        <When {...part} />
        <hr className="border-t" />
        <NewTickets {...part} />
        <SaveBar changed={changedNames(changes)} busy={isLoading} onDiscard={() => setDraft({})} isInvalid={problem !== undefined} />
      </form>
    </Card>
  );
}

/** Working hours, holidays and defaults for new tickets. */
export function WorkingTime() {
  const { profile } = useSession();
  const { data, isError, isFetching, refetch } = useReadWorkingTimeQuery(profile.organization_id ?? '', {
    skip: profile.organization_id === null,
  });
  if (data) return <Form organization={data} />;
  return (
    <Card aria-label={t('settings.sla.working_time_and_new_tickets')}>
      {isError ? (
        <ErrorNote title={t('settings.sla.failed_to_load_organization_settings')} onRetry={() => void refetch()} busy={isFetching} />
      ) : (
        <Skeletons blocks={['h-8 max-w-sm', 'h-40']} />
      )}
    </Card>
  );
}
