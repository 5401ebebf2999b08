import type { Report } from '@tandem/contracts';
import { analyticsLimits, may, reportFrequencies, reportFrequencyLabels, type ReportFrequency } from '@tandem/contracts/values';
import { useId, useState, type FormEvent } from 'react';
import { useListMembersQuery, useSession } from '../../../app/api';
import { nameOf } from '../../../lib/names';
import { notify } from '../../../lib/notify';
import { isProblem, messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Alert } from '../../../ui/Alert';
import { Avatar } from '../../../ui/Avatar';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Select } from '../../../ui/Select';
import { TimeZoneInput } from '../../../ui/TimeZoneInput';
import { useCreateReportMutation, useUpdateReportMutation } from './reports.api';

const frequencyOptions = reportFrequencies.map((value) => ({ value, label: reportFrequencyLabels[value] }));

function Recipients({ value, onChange, problem }: { value: string[]; onChange: (ids: string[]) => void; problem: string | undefined }) {
  const { data = [] } = useListMembersQuery();
  const members = data.filter(({ is_active, role }) => is_active && may(role, 'analytics.read'));
  const id = useId();
  const toggle = (user_id: string) => onChange(value.includes(user_id) ? value.filter((each) => each !== user_id) : [...value, user_id]);
  return (
    <fieldset aria-describedby={problem ? id : undefined}>
      <legend className="mb-1.5 font-medium">{t('analytics.reports.recipients')}</legend>
      <div className="max-h-56 overflow-y-auto rounded-md border">
        {members.map((member) => (
          <label
            key={member.user_id}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 px-3 py-1.5 hover:bg-hover touch:min-h-11"
          >
            <input
              type="checkbox"
              className="size-4 accent-accent"
              checked={value.includes(member.user_id)}
              onChange={() => toggle(member.user_id)}
            />
            <Avatar name={nameOf(member)} size="xs" />
            <span className="min-w-0 truncate">{nameOf(member)}</span>
          </label>
        ))}
      </div>
      {problem && (
        <p id={id} role="alert" className="mt-1.5 text-xs text-red-text">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** A recipient may have unsubscribed since the list was loaded: saving the form again would send them the report again. */
const hasChanged = (error: unknown): boolean => isProblem(error) && error.code === 'report.changed';

function recipientProblem(ids: string[]): string | undefined {
  if (ids.length === 0) return t('analytics.reports.choose_at_least_one_member');
  return ids.length > analyticsLimits.recipients
    ? t('analytics.reports.choose_at_most_members', { count: analyticsLimits.recipients })
    : undefined;
}

/** A new report, or changes to an existing one. */
export function ReportForm({ report, onDone }: { report?: Report; onDone: () => void }) {
  const { profile, organization } = useSession();
  const ofOrganization = organization?.time_zone ?? 'UTC';
  const [frequency, setFrequency] = useState<ReportFrequency>(report?.frequency ?? 'weekly');
  const [recipients, setRecipients] = useState(report?.recipient_ids ?? [profile.user_id]);
  const [timeZone, setTimeZone] = useState(report?.time_zone ?? ofOrganization);
  const [problem, setProblem] = useState<string>();
  const [error, setError] = useState<unknown>();
  const [keyOf] = useState(keyPerText);
  const [create, creating] = useCreateReportMutation();
  const [update, updating] = useUpdateReportMutation();
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const invalid = recipientProblem(recipients);
    setProblem(invalid);
    if (invalid) return;
    // The organization's own zone is not stored, so that the report follows a change to it.
    const body = { frequency, recipient_ids: recipients, time_zone: timeZone === ofOrganization ? null : timeZone };
    const answer = report
      ? await update({ id: report.id, version: report.version, ...body })
      : await create({ ...body, key: keyOf(JSON.stringify(body)) });
    if (report && hasChanged(answer.error)) {
      notify.error(messageOf(answer.error, t('analytics.reports.couldnt_save_report')));
      return onDone();
    }
    if (answer.error) return setError(answer.error);
    notify.success(report ? t('analytics.reports.report_saved') : t('analytics.reports.report_scheduled'));
    onDone();
  };
  return (
    <form noValidate onSubmit={(event) => void save(event)} className="flex flex-col gap-4 pt-1">
      {error !== undefined && <Alert tone="destructive">{messageOf(error, t('analytics.reports.couldnt_save_report'))}</Alert>}
      <Field label={t('analytics.reports.frequency')}>
        {(control) => (
          <Select {...control} value={frequency} options={frequencyOptions} onChange={(value) => setFrequency(value as ReportFrequency)} />
        )}
      </Field>
      <Field label={t('analytics.reports.send_at_eight_in')}>
        {(control) => <TimeZoneInput {...control} value={timeZone} onChange={setTimeZone} />}
      </Field>
      <Recipients
        value={recipients}
        onChange={(ids) => {
          setRecipients(ids);
          setProblem(undefined);
        }}
        problem={problem}
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>{t('analytics.reports.cancel')}</Button>
        <Button type="submit" variant="primary" busy={creating.isLoading || updating.isLoading}>
          {report ? t('analytics.reports.save') : t('analytics.reports.schedule_report')}
        </Button>
      </div>
    </form>
  );
}
