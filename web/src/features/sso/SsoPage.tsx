import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { leaveFor } from '../../lib/leave';
import { messageOf } from '../../lib/problem';
import { storage } from '../../lib/storage';
import { Alert } from '../../ui/Alert';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { Field } from '../../ui/Field';
import { Input } from '../../ui/Input';
import { useDocumentTitle } from '../../ui/PageHeader';
import { PageSpinner } from '../../ui/Spinner';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';
import { useBeginSsoMutation } from './sso.api';

/** Who signs in at a provider once does so every day. */
const rememberedKey = 'sso-subdomain';
/** The contract's longest; a longer way back is given up, not the sign-in. */
const longestRedirect = 500;

/** People paste the whole address of their portal, too. */
const subdomainIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[./:]/, 1)[0]!;

function SubdomainForm({ destination }: { destination: string }) {
  const [begin, { data, error, isLoading, reset }] = useBeginSsoMutation();
  // Back from the provider by the browser's own button: the page comes as it was left, with a button that waits.
  useEffect(() => {
    window.addEventListener('pageshow', reset);
    return () => window.removeEventListener('pageshow', reset);
  }, [reset]);
  const form = useForm({ defaultValues: { subdomain: storage.get(rememberedKey) ?? '' } });
  const missing = form.formState.errors.subdomain?.message;
  const submit = form.handleSubmit(async ({ subdomain: typed }) => {
    const subdomain = subdomainIn(typed);
    const redirect = destination.length <= longestRedirect ? destination : undefined;
    const answer = await begin({ subdomain, redirect });
    if (!answer.data) return;
    storage.set(rememberedKey, subdomain);
    leaveFor(answer.data.authorize_url);
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && !missing && <Alert tone="destructive">{messageOf(error, 'Sign-in failed. Please try again.')}</Alert>}
      <Field label="Organization" required error={missing} hint="Your organization’s subdomain: the first part of the portal’s address.">
        {(control) => (
          <Input
            {...control}
            size="lg"
            autoComplete="organization"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="northwind"
            {...form.register('subdomain', { validate: (text) => subdomainIn(text) !== '' || 'Enter your organization’s subdomain' })}
          />
        )}
      </Field>
      {/* Once the provider's page is on its way, a second press would begin anew. */}
      <Button type="submit" variant="primary" size="lg" busy={isLoading || data !== undefined}>
        Continue
      </Button>
    </form>
  );
}

/** Asks which organization's provider it is, and leads there. */
export function SsoPage() {
  useDocumentTitle('Sign in with SSO');
  const { data: session, error, isLoading } = useReadSessionQuery();
  const destination = useDestination();
  if (isLoading) return <PageSpinner />;
  if (session && !error) return <Navigate to={destination} replace />;
  return (
    <AuthFrame title="Sign in with SSO">
      <Card className="flex flex-col gap-4 p-5">
        <p className="text-muted">You go on at your organization’s own sign-in page, and come back here.</p>
        <SubdomainForm destination={destination} />
        <Link to={addressWith('/auth', destination)} className="self-center font-medium text-accent-text hover:underline">
          Sign in with email and password
        </Link>
      </Card>
    </AuthFrame>
  );
}
