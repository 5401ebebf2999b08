import type { Integration, TaskTool } from '@tandem/contracts';
import { useId, useState, type FormEvent } from 'react';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Skeleton } from '../../ui/Skeleton';
import { useReadTaskListQuery, useUpdateIntegrationMutation } from './integration.api';
import { draftOfIntegration, settingsOf } from './settings-draft';
import { SettingsFields } from './SettingsFields';

/** The list as last read, if the task tool does not respond: the other settings can still be changed. */
const listOf = (integration: Integration) => {
  const field = integration.field_mappings.customer_email?.field_id;
  return {
    statuses: integration.statuses,
    email_fields: field ? [{ id: field, name: t('integration.current_field'), type: 'email' }] : [],
  };
};

function Unread({ why, onRetry }: { why: string; onRetry: () => void }) {
  return (
    <Alert>
      {t('integration.statuses_may_be_outdated', { why })}{' '}
      <button type="button" className="font-medium underline" onClick={onRetry}>
        {t('integration.retry')}
      </button>
    </Alert>
  );
}

/** Edits an integration in the same form that creates one. */
export function EditDialog({ integration, tool, onClose }: { integration: Integration; tool: TaskTool; onClose: () => void }) {
  const form = useId();
  const [draft, setDraft] = useState(() => draftOfIntegration(integration));
  const list = useReadTaskListQuery({ provider: tool.key, id: integration.list_id });
  const [save, { isLoading, error }] = useUpdateIntegrationMutation();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const changes = settingsOf(draft, tool.capabilities.fields);
    const answer = await save({ id: integration.id, changes });
    if (answer.error) return;
    notify.success(t('integration.integration_saved'));
    onClose();
  };
  const known = list.data ?? (list.isError ? listOf(integration) : undefined);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t('integration.edit_list_name', { list_name: integration.list_name })}
      description={t('integration.changes_apply_from_next_sync')}
      wide
      footer={
        <>
          <Button onClick={onClose}>{t('integration.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={isLoading} disabled={!known}>
            {t('integration.save')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className="flex flex-col gap-5" onSubmit={(event) => void submit(event)}>
        {error && <Alert tone="destructive">{messageOf(error, t('integration.couldnt_save_integration'))}</Alert>}
        {list.isError && !list.data && (
          <Unread why={messageOf(list.error, t('integration.couldnt_read_list'))} onRetry={() => void list.refetch()} />
        )}
        {known ? (
          <SettingsFields tool={tool} list={known} draft={draft} set={(changes) => setDraft((current) => ({ ...current, ...changes }))} />
        ) : (
          <Skeleton className="h-80" />
        )}
      </form>
    </Dialog>
  );
}
