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
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { BlankPage } from '../../ui/BlankPage';
import { useCreateOrganizationMutation } from './onboarding.api';

/** The second step redirects after this time. */
const redirectMs = 2_000;

function Steps({ current }: { current: 1 | 2 }) {
  return (
    <ol aria-label="Progress" className="mb-6 flex gap-1.5">
      {[1, 2].map((step) => (
        <li
          key={step}
          aria-current={step === current ? 'step' : undefined}
          className={cn('h-1 flex-1 rounded-full', step <= current ? 'bg-accent' : 'bg-line')}
        >
          <span className="sr-only">Step {step} of 2</span>
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
          Your customers will find you at <strong className="font-medium wrap-anywhere text-ink">{portalAddress(subdomain, null)}</strong>.
          If it’s taken, we’ll add a number.
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
    if (answer.error) return notify.error(messageOf(answer.error, 'Please try again.'), 'Error creating organization');
    notify.success('Organization created!', 'Welcome to Tandem.');
    onCreated(answer.data);
  };
  return (
    <>
      <span className="mb-4 grid size-10 place-items-center rounded-lg bg-accent-soft text-accent-text">
        <Building2 className="size-5" aria-hidden />
      </span>
      <h1 className="text-lg font-semibold">Set up your organization</h1>
      <p className="mt-1 mb-5 text-muted">Your team and your customers see this name. You can change it later.</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Field label="Organization Name" required error={fieldProblems(error)[0]?.message}>
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="organization"
              maxLength={100}
              placeholder="Acme Inc."
              size="lg"
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <PortalPreview name={name} />
        <Button type="submit" variant="primary" size="lg" busy={isLoading} disabled={name.trim() === ''}>
          Create
        </Button>
      </form>
      <p className="mt-5 border-t pt-4 text-muted">Invited to a team? Use the link in your invitation email.</p>
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
      <h1 className="text-lg font-semibold">You're all set!</h1>
      {subdomain && (
        <p className="mt-1 text-muted">
          Your portal is live at <strong className="font-medium wrap-anywhere text-ink">{portalAddress(subdomain, null)}</strong>
        </p>
      )}
      <p className="mt-1 text-muted">Opening your dashboard…</p>
    </div>
  );
}

export function OnboardingPage() {
  useDocumentTitle('Set up your organization');
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
