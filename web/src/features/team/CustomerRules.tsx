import type { Organization, UpdateOrganization } from '@tandem/contracts';
import { customerFollowUps, followUpLabels, type CustomerFollowUp } from '@tandem/contracts/values';
import { useId } from 'react';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Card, CardHeader } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import { useUpdateOrganizationMutation } from './team.api';

const followUps = customerFollowUps.map((value) => ({ value, label: followUpLabels[value] }));

/** Whether customers can reply to closed tickets, and how they look up their tickets. */
export function CustomerRules({ organization }: { organization: Organization }) {
  const id = useId();
  const [update] = useUpdateOrganizationMutation();
  const save = async (changes: UpdateOrganization) => {
    const answer = await update({ id: organization.id, changes });
    if (answer.error) return notify.problem(answer.error, t('team.failed_to_save_settings'));
    notify.success(t('team.settings_saved'));
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.customer_replies_and_lookup')} />
      <div className="flex flex-col gap-5 p-4">
        <Field label={t('team.replies_to_resolved_tickets')} hint={t('team.where_rules_apply')} className="max-w-sm">
          {(control) => (
            <Select
              {...control}
              value={organization.customer_follow_up}
              options={followUps}
              onChange={(value) => void save({ customer_follow_up: value as CustomerFollowUp })}
            />
          )}
        </Field>
        <div>
          <Switch
            label={t('team.show_tickets_instantly_on_lookup')}
            checked={organization.instant_lookup}
            onChange={(instant_lookup) => void save({ instant_lookup })}
          />
          <p className="mt-1 text-muted">
            {organization.instant_lookup ? t('team.what_instant_lookup_does') : t('team.what_lookup_by_email_does')}
          </p>
        </div>
      </div>
    </Card>
  );
}
