import type { Organization } from '@tandem/contracts';
import { plans } from '@tandem/contracts/values';
import { skipToken } from '@reduxjs/toolkit/query/react';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSession } from '../../app/api';
import { formatDate } from '../../lib/dates';
import { createExternalStore } from '../../lib/external-store';
import { isFormProblem } from '../../lib/form-errors';
import { notify } from '../../lib/notify';
import { useNow } from '../../lib/now';
import { fieldProblems } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Card, CardHeader } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { Rich } from '../../ui/Rich';
import { SaveBar } from '../../ui/SaveBar';
import { Skeleton } from '../../ui/Skeleton';
import { CustomerRules } from './CustomerRules';
import { DeleteOrganizationCard } from './DeleteOrganizationCard';
import { SignInRules } from './SignInRules';
import { SubdomainCard } from './SubdomainCard';
import { Team } from './Team';
import { TicketPrefixCard } from './TicketPrefixCard';
import { useReadOrganizationQuery, useUpdateOrganizationMutation } from './team.api';

/** Null until the user types: until then, changes saved by other admins are shown. Survives switching panels. */
const unsavedName = createExternalStore<string | null>(() => null);

function BasicInfo({ organization }: { organization: Organization }) {
  const id = useId();
  const typed = unsavedName.use();
  const [update, { error, isLoading, reset }] = useUpdateOrganizationMutation();
  const name = typed ?? organization.name;
  const save = async () => {
    const answer = await update({ id: organization.id, changes: { name: name.trim() } });
    if (answer.error) return isFormProblem(answer.error, { name }) && notify.problem(answer.error, t('team.failed_to_save_settings'));
    // A name typed during the request is not saved yet.
    if (unsavedName.get() === typed) unsavedName.set(null);
    notify.success(t('team.settings_saved'));
  };
  const isEmpty = name.trim() === '';
  const change = (value: string | null) => {
    unsavedName.set(value);
    if (error) reset();
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.basic_information')} />
      <form
        className="flex flex-col items-start gap-4 p-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field
          label={t('team.organization_name')}
          required
          error={fieldProblems(error)[0]?.message ?? (isEmpty ? t('team.enter_name') : undefined)}
          className="w-full max-w-md"
        >
          {(control) => (
            <Input {...control} autoComplete="organization" maxLength={100} value={name} onChange={(event) => change(event.target.value)} />
          )}
        </Field>
        <p className="text-muted">
          <PlanText organization={organization} />
        </p>
        <SaveBar
          changed={name.trim() === organization.name ? [] : [t('team.organization_name')]}
          busy={isLoading}
          isInvalid={isEmpty}
          onDiscard={() => change(null)}
        />
      </form>
    </Card>
  );
}

/** Placeholder for the branding settings. */
function BrandingSoon() {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="after-skeletons">
      <CardHeader id={id} title={t('team.branding')} actions={<Badge>{t('team.coming_soon')}</Badge>} />
      <p className="p-4 text-muted">
        <Rich
          text={t('team.set_up_in_settings_branding')}
          tags={{
            link: (inside) => (
              <Link to="/settings?tab=branding" className="text-accent-text hover:underline">
                {inside}
              </Link>
            ),
          }}
        />
        .
      </p>
    </Card>
  );
}

function LoadingCards() {
  return (
    <div aria-busy className="flex flex-col gap-5">
      <span className="sr-only">{t('team.loading')}</span>
      {[0, 1].map((card) => (
        <div key={card} aria-hidden className="rounded-lg border bg-surface p-4">
          <Skeleton className="h-4 w-36" />
          <Skeleton className="mt-5 h-8 w-full max-w-md" />
          <Skeleton className="mt-4 h-8 w-20" />
        </div>
      ))}
    </div>
  );
}

/** Reads the user's organization for the cards that edit it, with a skeleton and an error. */
function WithOrganization({ children }: { children: (organization: Organization) => ReactNode }) {
  const { profile } = useSession();
  const { data, isFetching, isError, refetch } = useReadOrganizationQuery(profile.organization_id ?? skipToken);
  if (data) return children(data);
  if (!isError) return <LoadingCards />;
  return (
    <Card>
      <ErrorNote title={t('team.failed_to_load_organization_settings')} onRetry={() => void refetch()} busy={isFetching} />
    </Card>
  );
}

/** The cards above show an error of the same query. */
function DeleteOrganization() {
  const { profile } = useSession();
  const { data } = useReadOrganizationQuery(profile.organization_id ?? skipToken);
  return data && data.demo_ends_at === null ? <DeleteOrganizationCard organization={data} /> : null;
}

/** Name, address and team, used by /organization-settings and by /settings?tab=organization. */
export const OrganizationPanel = () => (
  <div className="flex flex-col gap-5">
    <WithOrganization>
      {(organization) => (
        <>
          <BasicInfo organization={organization} />
          <SubdomainCard organization={organization} />
          <TicketPrefixCard />
        </>
      )}
    </WithOrganization>
    <div id="members" className="flex scroll-mt-5 flex-col gap-5 after-skeletons">
      <Team />
    </div>
    <BrandingSoon />
    <DeleteOrganization />
  </div>
);

/** The rules for customers on the portal. */
export const PortalPanel = () => <WithOrganization>{(organization) => <CustomerRules organization={organization} />}</WithOrganization>;

/** The rules for the sign-in of members. */
export const SignInPanel = () => <WithOrganization>{(organization) => <SignInRules organization={organization} />}</WithOrganization>;

/** The plan with what it includes; without a plan, the end of the trial. */
function PlanText({ organization: { plan, trial_ends_at } }: { organization: Organization }) {
  const now = useNow();
  // Undefined while an older version of identity answers, during an upgrade.
  if (plan) {
    const { name, members, tickets_per_month } = plans[plan];
    if (members === null) return t('team.plan_without_limits', { plan: name });
    return t('team.plan', { plan: name, members, tickets: tickets_per_month });
  }
  const trialIsOver = new Date(trial_ends_at).getTime() <= now;
  return (
    <Rich
      text={trialIsOver ? t('team.trial_ended_on') : t('team.trial_ends_on')}
      tags={{ date: () => <time dateTime={trial_ends_at}>{formatDate(trial_ends_at)}</time> }}
    />
  );
}
