import type { Organization, RetentionPolicy } from '@tandem/contracts';
import { privacyLimits, ticketLimits, type RetentionAction } from '@tandem/contracts/values';
import { useEffect, useId, useState, type FormEvent } from 'react';
import { useSession } from '../../../app/api';
import { formatDate } from '../../../lib/dates';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { SaveBar } from '../../../ui/SaveBar';
import { Skeletons } from '../../../ui/Skeleton';
import { Switch } from '../../../ui/Switch';
import { TagInput } from '../../../ui/TagInput';
import { useReadLanguagesQuery } from '../languages/languages.api';
import {
  useLazyPreviewRetentionQuery,
  usePreviewRetentionQuery,
  useReadRetentionQuery,
  useSaveRetentionMutation,
  type RetentionChanges,
} from './privacy.api';
import { changedNames, draftOf, policyOf, previewText, unsavedRetention, type RetentionDraft } from './retention-form';

const restMs = 400;
/** For a request that is not sent. */
const noRule: RetentionChanges = { is_active: true, action: 'delete', months: 1, kept_categories: [] };

/** The text once it has not changed for a moment. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    if (text === rested) return;
    const timer = setTimeout(() => setRested(text), restMs);
    return () => clearTimeout(timer);
  }, [text, rested]);
  return rested;
}

/** The number of tickets that the policy in the form would delete or anonymize, saved or not. */
function PreviewCount({ policy }: { policy: RetentionChanges | undefined }) {
  // Turning it on or off does not change the number.
  const rule = policy ? JSON.stringify({ ...policy, is_active: true }) : '';
  const rested = useRested(rule);
  const isCurrent = rested === rule;
  const { currentData, error } = usePreviewRetentionQuery(rested ? (JSON.parse(rested) as RetentionChanges) : noRule, {
    skip: !rested,
    refetchOnMountOrArgChange: true,
  });
  const text = !isCurrent || !currentData ? t('settings.privacy.counting') : previewText(currentData, policy?.action);
  return (
    <p role="status" className="rounded-md border bg-sunken px-3 py-2 text-pretty tabular">
      {!policy ? t('settings.privacy.enter_months_first') : error && isCurrent ? t('settings.privacy.couldnt_count') : text}
    </p>
  );
}

const actions = [
  { action: 'delete', label: t('settings.privacy.delete'), hint: t('settings.privacy.delete_hint') },
  { action: 'anonymize', label: t('settings.privacy.anonymize'), hint: t('settings.privacy.anonymize_hint') },
] as const;

function ActionChoice({ action, set }: { action: RetentionAction; set: FieldsProps['set'] }) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 font-medium">{t('settings.privacy.action')}</legend>
      <div className="flex flex-col gap-2">
        {actions.map((choice) => (
          <label key={choice.action} className="flex items-start gap-2.5">
            <input
              type="radio"
              name={id}
              checked={choice.action === action}
              onChange={() => set({ action: choice.action })}
              className="mt-0.5 size-4 accent-accent touch:size-5"
              aria-describedby={`${id}-${choice.action}`}
              aria-labelledby={`${id}-${choice.action}-label`}
            />
            <span>
              <span id={`${id}-${choice.action}-label`}>{choice.label}</span>
              <span id={`${id}-${choice.action}`} className="block text-xs text-pretty text-muted">
                {choice.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface FieldsProps {
  draft: RetentionDraft;
  organization: Organization | undefined;
  set: (changes: Partial<RetentionDraft>) => void;
}

function Fields({ draft, organization, set }: FieldsProps) {
  const { minMonths: min, maxMonths: max } = privacyLimits;
  return (
    <>
      <div>
        <Switch label={t('settings.privacy.apply_to_old_tickets')} checked={draft.is_active} onChange={(is_active) => set({ is_active })} />
        <ul className="mt-2 flex list-disc flex-col gap-1 pl-5 text-pretty text-muted marker:text-faint">
          <li>
            {organization
              ? t('settings.privacy.when_retention_runs', { zone: organization.time_zone })
              : t('settings.privacy.when_retention_runs_no_zone')}
          </li>
          <li>{t('settings.privacy.figures_stay')}</li>
          <li>{t('settings.privacy.cannot_be_restored')}</li>
          <li>{t('settings.privacy.task_tool_unchanged')}</li>
        </ul>
      </div>
      <ActionChoice action={draft.action} set={set} />
      <Field
        label={t('settings.privacy.months')}
        hint={t('settings.privacy.months_hint')}
        error={policyOf(draft) ? undefined : t('settings.privacy.enter_months', { min, max })}
        className="max-w-md"
      >
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            maxLength={3}
            className="max-w-24"
            value={draft.months}
            onChange={({ target }) => set({ months: target.value })}
          />
        )}
      </Field>
      <Field label={t('settings.privacy.kept_categories')} hint={t('settings.privacy.kept_categories_hint')} optional className="max-w-md">
        {(control) => (
          <TagInput
            control={control}
            value={draft.kept_categories}
            onChange={(kept_categories) => set({ kept_categories })}
            max={privacyLimits.categories}
            maxLength={ticketLimits.category}
            suggestions={organization?.categories.map(({ name }) => name) ?? []}
          />
        )}
      </Field>
    </>
  );
}

/** Saves the policy. If it would delete or anonymize tickets, it asks first: they cannot be restored. */
function useSave(onSaved: () => void) {
  const [save, { isLoading: isSaving }] = useSaveRetentionMutation();
  const [count, { isFetching: isCounting }] = useLazyPreviewRetentionQuery();
  const [asked, setAsked] = useState<{ policy: RetentionChanges; tickets: number }>();
  const [isAsking, setIsAsking] = useState(false);
  const run = async (policy: RetentionChanges) => {
    const { error } = await save(policy);
    setIsAsking(false);
    if (error) return notify.problem(error, t('settings.privacy.couldnt_save'));
    onSaved();
    notify.success(t('settings.privacy.retention_saved'));
  };
  const submit = async (policy: RetentionChanges) => {
    if (!policy.is_active) return run(policy);
    const { data, error } = await count(policy);
    if (!data) return notify.problem(error, t('settings.privacy.couldnt_save'));
    if (data.tickets === 0) return run(policy);
    setAsked({ policy, tickets: data.tickets });
    setIsAsking(true);
  };
  return { submit, run, asked, isAsking, setIsAsking, isBusy: isSaving || isCounting };
}

function Form({ saved, organization }: { saved: RetentionPolicy; organization: Organization | undefined }) {
  // Holds only changed fields: for all others, changes saved by other admins are shown.
  const unsaved = unsavedRetention.use();
  const draft = { ...draftOf(saved), ...unsaved };
  const policy = policyOf(draft);
  const { submit, run, asked, isAsking, setIsAsking, isBusy } = useSave(() => unsavedRetention.set({}));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (policy) void submit(policy);
  };
  return (
    <form noValidate className="flex flex-col gap-5 p-4" onSubmit={onSubmit}>
      <Fields draft={draft} organization={organization} set={(changes) => unsavedRetention.set({ ...unsaved, ...changes })} />
      <PreviewCount policy={policy} />
      <SaveBar
        label={t('settings.privacy.save_retention')}
        changed={changedNames(saved, draft)}
        busy={isBusy}
        isInvalid={!policy}
        onDiscard={() => unsavedRetention.set({})}
        note={saved.updated_at !== null && t('settings.privacy.last_saved', { when: formatDate(saved.updated_at) })}
      />
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t('settings.privacy.apply_to_tickets', { count: asked?.tickets ?? 0, action: asked?.policy.action ?? 'delete' })}
        description={t('settings.privacy.what_retention_does', { action: asked?.policy.action ?? 'delete' })}
        action={t('settings.privacy.save_and_apply', { action: asked?.policy.action ?? 'delete' })}
        busy={isBusy}
        onConfirm={() => asked && void run(asked.policy)}
      />
    </form>
  );
}

/** Which resolved and closed tickets are deleted or anonymized each night. */
export function Retention() {
  const id = useId();
  const { organization_id } = useSession().profile;
  const { data: organization } = useReadLanguagesQuery(organization_id ?? '', { skip: !organization_id });
  const { data, error, isFetching, refetch } = useReadRetentionQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Card id="retention" aria-labelledby={id} className="scroll-mt-20">
      <CardHeader id={id} title={t('settings.privacy.retention')} />
      {data ? (
        <Form saved={data} organization={organization} />
      ) : error ? (
        <ErrorNote
          title={t('settings.privacy.couldnt_load_retention')}
          detail={messageOf(error, '')}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons blocks={['h-8 max-w-sm', 'h-24']} />
      )}
    </Card>
  );
}
