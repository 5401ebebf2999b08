import type { Organization, UpdateOrganization } from '@tandem/contracts';
import { customerFollowUps, followUpLabels, type CustomerFollowUp } from '@tandem/contracts/values';
import { useId } from 'react';
import { notify } from '../../lib/notify';
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
    if (answer.error) return notify.problem(answer.error, 'Failed to save settings');
    notify.success('Settings saved!');
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Customer replies and lookup" />
      <div className="flex flex-col gap-5 p-4">
        <Field label="Replies to resolved tickets" hint="Applies to the portal, widget and email." className="max-w-sm">
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
            label="Show tickets instantly on the lookup page"
            checked={organization.instant_lookup}
            onChange={(instant_lookup) => void save({ instant_lookup })}
          />
          <p className="mt-1 text-muted">
            {organization.instant_lookup
              ? 'Anyone who knows a ticket’s email address and number can see it.'
              : 'Customers get links to their tickets by email.'}
          </p>
        </div>
      </div>
    </Card>
  );
}
