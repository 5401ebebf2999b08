import type { InstallationOrganization, PlanName } from '@tandem/contracts';
import { planNames, plans } from '@tandem/contracts/values';
import { useDeferredValue, useState } from 'react';
import { formatDate } from '../../lib/dates';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { offerUndo } from '../../lib/undo';
import { sizeText } from '../../lib/uploads';
import { Badge } from '../../ui/Badge';
import { Card } from '../../ui/Card';
import { Input } from '../../ui/Input';
import { NativeSelect } from '../../ui/NativeSelect';
import { Spinner } from '../../ui/Spinner';
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

const planText = (plan: PlanName | null) => (plan === null ? t('operator.trial') : plans[plan].name);

function trialText(ends_at: string): string {
  const date = formatDate(ends_at);
  return Date.parse(ends_at) < Date.now() ? t('operator.trial_ended', { date }) : t('operator.trial_ends', { date });
}

/**
 * Disabled while a change is being saved. Each change can be undone, from any tab: this restores the plan before it, even if another operator
 * has changed the plan in the meantime. The log contains all changes.
 */
function PlanSelect({ organization: { id, name, plan } }: { organization: InstallationOrganization }) {
  const [change, { isLoading }] = useChangePlanMutation();
  const save = async (to: PlanName | null, report: () => void) => {
    const { error } = await change({ id, plan: to });
    if (error === undefined) report();
    else notify.problem(error, t('operator.plan_not_changed'));
  };
  const choose = (to: PlanName | null) =>
    save(to, () =>
      offerUndo(
        t('operator.plan_changed'),
        t('operator.plan_from_to', { name, from: planText(plan), to: planText(to) }),
        () => void save(plan, () => notify.success(t('operator.plan_restored'))),
      ),
    );
  return (
    <span className="flex items-center gap-2">
      <NativeSelect
        aria-label={t('operator.plan_of', { name })}
        className="rounded border bg-surface px-1 disabled:opacity-60"
        value={plan ?? ''}
        disabled={isLoading}
        onChange={({ target }) => void choose(planNames.find((each) => each === target.value) ?? null)}
      >
        <option value="">{planText(null)}</option>
        {planNames.map((each) => (
          <option key={each} value={each}>
            {planText(each)}
          </option>
        ))}
      </NativeSelect>
      {isLoading && <Spinner />}
    </span>
  );
}

function OrganizationRow({ organization }: { organization: InstallationOrganization }) {
  const { name, subdomain, plan, trial_ends_at, members, tickets, tickets_this_month, file_bytes, created_at, is_demo, deletion_at } =
    organization;
  const included = plan === null ? { members: null, tickets_per_month: null } : plans[plan];
  return (
    <tr>
      <Cell className="font-medium">
        {name} {is_demo && <Badge>{t('operator.demo')}</Badge>}{' '}
        {deletion_at && <Badge tone="red">{t('operator.deleted_on', { date: formatDate(deletion_at) })}</Badge>}
      </Cell>
      <Cell>{subdomain ?? '–'}</Cell>
      <Cell className="whitespace-nowrap">
        <PlanSelect organization={organization} />
        {plan === null && <span className="block text-muted">{trialText(trial_ends_at)}</span>}
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

/** The newest 50 organizations, or those that match, with their use and its limits. */
export function OrganizationsTab() {
  const [searched, setSearched] = useState('');
  const query = useSearchOrganizationsQuery(useDeferredValue(searched));
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
                <OrganizationRow key={organization.id} organization={organization} />
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Card>
  );
}
