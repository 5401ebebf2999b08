import type { SlaPolicy } from '@tandem/contracts';
import { slaLimits } from '@tandem/contracts/values';
import { Pencil, Plus, Timer, Trash2 } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { PriorityBadge } from '../../../lib/ticket-badges';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { Skeletons } from '../../../ui/Skeleton';
import { Switch } from '../../../ui/Switch';
import { replacedBy } from './replaced-policy';
import { useDeleteSlaPolicyMutation, useListSlaPoliciesQuery, useUpdateSlaPolicyMutation } from './sla-settings.api';

const PolicyDialog = lazy(() => import('./PolicyDialog').then((module) => ({ default: module.PolicyDialog })));

const hours = (count: number) => t('settings.sla.hours', { count });

interface PolicyRowProps {
  policy: SlaPolicy;
  policies: readonly SlaPolicy[];
  onEdit: () => void;
  onRemove: () => void;
}

function PolicyRow({ policy, policies, onEdit, onRemove }: PolicyRowProps) {
  const [update] = useUpdateSlaPolicyMutation();
  const toggle = async (is_active: boolean) => {
    const { error } = await update({ id: policy.id, changes: { is_active } });
    // A failed toggle is only logged; the switch itself returns to its previous position.
    // oxlint-disable-next-line no-console
    if (error) console.error(t('settings.sla.couldnt_update_policy'), error);
    else
      notify.success(
        is_active ? t('settings.sla.sla_policy_activated') : t('settings.sla.sla_policy_deactivated'),
        replacedBy({ ...policy, is_active }, policies),
      );
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-b-0">
      <div className="min-w-48 flex-1">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium" title={policy.name}>
            {policy.name}
          </span>
          <PriorityBadge priority={policy.priority_level} />
        </p>
        <p className="mt-0.5 text-muted">
          {policy.escalation_enabled
            ? t('settings.sla.first_response_within_hours', {
                hours: hours(policy.response_time_hours),
                hours2: hours(policy.resolution_time_hours),
                hours3: hours(policy.escalation_time_hours),
              })
            : t('settings.sla.first_response_within_hours_resolution', {
                hours: hours(policy.response_time_hours),
                hours2: hours(policy.resolution_time_hours),
              })}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <div className="mr-2">
          <Switch
            label={t('settings.sla.name_is_active', { name: policy.name })}
            hideLabel
            checked={policy.is_active}
            onChange={(on) => void toggle(on)}
          />
        </div>
        <Button variant="ghost" size="icon" aria-label={t('settings.sla.edit_name', { name: policy.name })} onClick={onEdit}>
          <Pencil aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={t('settings.sla.remove_name', { name: policy.name })} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
    </li>
  );
}

function RemovePolicy({ policy, onDone }: { policy: SlaPolicy | undefined; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteSlaPolicyMutation();
  const confirm = async () => {
    if (!policy) return;
    const { error } = await remove(policy.id);
    onDone();
    if (error) notify.problem(error, t('settings.sla.failed_to_remove_policy'));
    else notify.success(t('settings.sla.sla_policy_removed'));
  };
  return (
    <ConfirmDialog
      open={policy !== undefined}
      onOpenChange={(open) => !open && onDone()}
      title={t('settings.sla.confirm_remove_policy', { name: policy?.name ?? '' })}
      description={t('settings.sla.what_removing_policy_does')}
      action={t('settings.sla.remove')}
      busy={isLoading}
      onConfirm={() => void confirm()}
    />
  );
}

const LoadingRows = () => <Skeletons blocks={['h-9', 'h-9']} />;

export function Policies() {
  const id = useId();
  const { data, isError, isFetching, refetch } = useListSlaPoliciesQuery();
  const [form, setForm] = useState<{ policy?: SlaPolicy }>();
  const [removing, setRemoving] = useState<SlaPolicy>();
  const add = (
    <Button size="sm" onClick={() => setForm({})} disabled={!data || data.length >= slaLimits.policies}>
      <Plus aria-hidden />
      {t('settings.sla.new_policy')}
    </Button>
  );
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('settings.sla.service_level_policies')} actions={add} />
      {!data && isError && <ErrorNote title={t('settings.sla.failed_to_load_policies')} onRetry={() => void refetch()} busy={isFetching} />}
      {!data && !isError && <LoadingRows />}
      {data?.length === 0 && (
        <EmptyState icon={Timer} title={t('settings.sla.no_policies_yet')}>
          {t('settings.sla.what_policies_do')}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <ul aria-label={t('settings.sla.policies')}>
          {data.map((policy) => (
            <PolicyRow
              key={policy.id}
              policy={policy}
              policies={data}
              onEdit={() => setForm({ policy })}
              onRemove={() => setRemoving(policy)}
            />
          ))}
        </ul>
      )}
      {form && (
        <Suspense fallback={null}>
          <PolicyDialog policy={form.policy} policies={data ?? []} onClose={() => setForm(undefined)} />
        </Suspense>
      )}
      <RemovePolicy policy={removing} onDone={() => setRemoving(undefined)} />
    </Card>
  );
}
