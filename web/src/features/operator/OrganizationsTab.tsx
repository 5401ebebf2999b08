import type { InstallationOrganization, PlanName } from '@tandem/contracts';
import { planNames, plans } from '@tandem/contracts/values';
import { useDeferredValue, useState } from 'react';
import { formatDate } from '../../lib/dates';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { sizeText } from '../../lib/uploads';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Input } from '../../ui/Input';
import { NativeSelect } from '../../ui/NativeSelect';
import { Time } from '../../ui/Time';
import { useChangePlanMutation, useSearchOrganizationsQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

/** A number, with the number that the plan includes. */
function Used({ count, included }: { count: number | null; included: number | null }) {
  if (count === null) return '–';
  if (included === null) return count;
  const text = t('operator.used', { count, included });
  return count > included ? <Badge tone="amber">{text}</Badge> : text;
}

function OrganizationRow({ organization, onPlan }: { organization: InstallationOrganization; onPlan: (plan: PlanName | null) => void }) {
  const { name, subdomain, plan, trial_ends_at, members, tickets, tickets_this_month, file_bytes, created_at, is_demo } = organization;
  const included = plan === null ? { members: null, tickets_per_month: null } : plans[plan];
  return (
    <tr>
      <Cell className="font-medium">
        {name} {is_demo && <Badge>{t('operator.demo')}</Badge>}
      </Cell>
      <Cell>{subdomain ?? '–'}</Cell>
      <Cell className="whitespace-nowrap">
        <NativeSelect
          aria-label={t('operator.plan_of', { name })}
          className="rounded border bg-surface px-1"
          value={plan ?? ''}
          onChange={({ target }) => onPlan(planNames.find((each) => each === target.value) ?? null)}
        >
          <option value="">{t('operator.trial')}</option>
          {planNames.map((each) => (
            <option key={each} value={each}>
              {plans[each].name}
            </option>
          ))}
        </NativeSelect>
        {plan === null && <span className="block text-muted">{t('operator.trial_ends', { date: formatDate(trial_ends_at) })}</span>}
      </Cell>
      <Cell className="whitespace-nowrap">
        <Used count={members} included={included.members} />
      </Cell>
      <Cell className="whitespace-nowrap">
        <Used count={tickets_this_month} included={included.tickets_per_month} />
      </Cell>
      <Cell>{tickets ?? '–'}</Cell>
      <Cell className="whitespace-nowrap">{file_bytes === null ? '–' : sizeText(file_bytes)}</Cell>
      <Cell className="whitespace-nowrap">
        <Time iso={created_at} relative />
      </Cell>
    </tr>
  );
}

function SearchForm({ onSearch }: { onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState('');
  return (
    <form
      role="search"
      className="border-b p-3"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <Input
        type="search"
        aria-label={t('operator.search_organizations')}
        placeholder={t('operator.name_or_subdomain')}
        className="max-w-80"
        maxLength={100}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </form>
  );
}

/** The newest 50 organizations, or those that match, with what they use of their plans. */
export function OrganizationsTab() {
  const [searched, setSearched] = useState('');
  const query = useSearchOrganizationsQuery(useDeferredValue(searched));
  const [change] = useChangePlanMutation();
  const changePlan = async (id: string, plan: PlanName | null) => {
    const { error } = await change({ id, plan });
    if (error === undefined) notify.success(t('operator.plan_changed'));
    else notify.problem(error, t('operator.plan_not_changed'));
    void query.refetch();
  };
  return (
    <Card>
      <SearchForm onSearch={setSearched} />
      <Loaded query={query} failure={t('operator.couldnt_load_organizations')}>
        {(organizations) =>
          organizations.length === 0 ? (
            <p className="px-4 py-3 text-muted">{t('operator.no_organization_matches')}</p>
          ) : (
            <DataTable
              label={t('operator.organizations')}
              head={[
                t('operator.organization'),
                t('operator.subdomain'),
                t('operator.plan'),
                t('operator.members'),
                t('operator.tickets_this_month'),
                t('operator.all_tickets'),
                t('operator.files'),
                t('operator.created'),
              ]}
            >
              {organizations.map((organization) => (
                <OrganizationRow
                  key={organization.id}
                  organization={organization}
                  onPlan={(plan) => void changePlan(organization.id, plan)}
                />
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Card>
  );
}
