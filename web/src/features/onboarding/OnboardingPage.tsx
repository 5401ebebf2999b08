import type { Organization } from '@tandem/contracts';
import { subdomainBase, subdomainRule } from '@tandem/contracts/values';
import { Building2, Check } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Navigate, useNavigate } from 'react-router-dom';
import { useReadSessionQuery, useSession } from '../../app/api';
import { cn } from '../../lib/cn';
import { notify } from '../../lib/notify';
import { portalAddress } from '../../lib/portal-address';
import { fieldProblems, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { BlankPage } from '../../ui/BlankPage';
import { Rich } from '../../ui/Rich';
import { useCreateOrganizationMutation } from './onboarding.api';

/** The second step redirects after this time. */
const redirectMs = 2_000;

function Steps({ current }: { current: 1 | 2 }) {
  return (
    <ol aria-label={t('onboarding.progress')} className="mb-6 flex gap-1.5">
      {[1, 2].map((step) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={cn('h-1 flex-1 rounded-full', step <= current ? 'bg-accent' : 'bg-line')}
        >
          <span className="sr-only">{t('onboarding.step_of_2', { step })}</span>
        </li>
      ))}
    </ol>
  );
}

/** The expected address of the portal. It can differ: the server adds digits to a name that is taken. */
function PortalPreview({ name }: { name: string }) {
  const subdomain = subdomainBase(name);
  return (
    <p className="min-h-10 text-xs text-muted">
      {subdomainRule.pattern.test(subdomain) && (
        <>
          <Rich
            text={t('onboarding.where_customers_find_you')}
            tags={{ portalAddress: () => <strong className="font-medium wrap-anywhere text-ink">{portalAddress(subdomain, null)}</strong> }}
          />
        </>
      )}
    </p>
  );
}

function NameOrganization({ onCreated }: { onCreated: (organization: Organization) => void }) {
  const [name, setName] = useState('');
  const [create, { isLoading, error }] = useCreateOrganizationMutation();
  const submit = async () => {
    const answer = await create({ name: name.trim() });
    if (answer.error)
      return notify.error(messageOf(answer.error, t('onboarding.please_try_again')), t('onboarding.error_creating_organization'));
    notify.success(t('onboarding.organization_created'), t('onboarding.welcome_to_tandem'));
    onCreated(answer.data);
  };
  return (
    <>
      <span className="mb-4 grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
        <Building2 className="size-5" aria-hidden />
      </span>
      <h1 className="text-lg font-semibold">{t('onboarding.set_up_your_organization')}</h1>
      <p className="mt-1 mb-5 text-muted">{t('onboarding.who_sees_name')}</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label={t('onboarding.organization_name')} required error={fieldProblems(error)[0]?.message}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="organization"
              maxLength={100}
              placeholder={t('onboarding.acme_inc')}
              size="lg"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <PortalPreview name={name} />
        <Button type="submit" variant="primary" size="lg" busy={isLoading} disabled={name.trim() === ''}>
          {t('onboarding.create')}
        </Button>
      </form>
      <p className="mt-5 border-t pt-4 text-muted">{t('onboarding.invited_to_team_use_link')}</p>
    </>
  );
}

function AllSet({ organization: { subdomain } }: { organization: Organization }) {
  const { refetch } = useReadSessionQuery();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => {
      // The session must include the organization first, otherwise the dashboard's guard would redirect back here.
      void refetch().then(() => navigate('/dashboard', { replace: true }));
    }, redirectMs);
    return () => clearTimeout(timer);
  }, [refetch, navigate]);
  return (
    <div role="status" className="flex flex-col items-center py-6 text-center">
      <span className="mb-4 grid size-12 animate-pop place-items-center rounded-full bg-green-soft text-green-text">
        <Check className="size-6" aria-hidden />
      </span>
      <h1 className="text-lg font-semibold">{t('onboarding.youre_all_set')}</h1>
      {subdomain && (
        <p className="mt-1 text-muted">
          <Rich
            text={t('onboarding.your_portal_is_live_at')}
            tags={{ portalAddress: () => <strong className="font-medium wrap-anywhere text-ink">{portalAddress(subdomain, null)}</strong> }}
          />
        </p>
      )}
      <p className="mt-1 text-muted">{t('onboarding.opening_your_dashboard')}</p>
    </div>
  );
}

export function OnboardingPage() {
  useDocumentTitle(t('onboarding.set_up_your_organization'));
  const { profile } = useSession();
  const [created, setCreated] = useState<Organization>();
  if (profile.organization_id && !created) return <Navigate to="/dashboard" replace />;
  return (
    <BlankPage>
      <Steps current={created ? 2 : 1} />
      {created ? <AllSet organization={created} /> : <NameOrganization onCreated={setCreated} />}
    </BlankPage>
  );
}
