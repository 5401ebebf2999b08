import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate } from 'react-router-dom';
import { useReadSessionQuery } from '../../../app/api';
import { redirectOut } from '../../../lib/redirect-out';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { storage } from '../../../lib/storage';
import { Alert } from '../../../ui/Alert';
import { Button } from '../../../ui/Button';
import { Card } from '../../../ui/Card';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { useDocumentTitle } from '../../../ui/PageHeader';
import { FirstSkeleton } from '../../../ui/PageSkeletons';
import { AuthFrame } from '../../../ui/AuthFrame';
import { addressWith, useDestination } from '../../../app/destination';
import { useBeginSsoMutation } from './sso.api';

/** The subdomain is remembered, because SSO users sign in with it again and again. */
const rememberedKey = 'sso-subdomain';
/** Maximum length in the contract; a longer destination is dropped rather than refusing the sign-in. */
const longestRedirect = 500;

/** Accepts the whole portal address, too, because people paste it. */
const subdomainIn = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .split(/[./:]/, 1)[0]!;

function SubdomainForm({ destination }: { destination: string }) {
  const [begin, { data, error, isLoading, reset }] = useBeginSsoMutation();
  // The browser's Back button may restore the page from its cache, with the button still busy: reset it.
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
    redirectOut(answer.data.authorize_url);
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
      {error && !missing && <Alert tone="destructive">{messageOf(error, t('auth.sso.sign_in_failed'))}</Alert>}
      <Field label={t('auth.sso.organization')} required error={missing} hint={t('auth.sso.what_subdomain_is')}>
        {(control) => (
          <Input
            {...control}
            size="lg"
            autoComplete="organization"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={t('auth.sso.northwind')}
            {...form.register('subdomain', {
              validate: (text) => subdomainIn(text) !== '' || t('auth.sso.enter_your_organizations_subdomain'),
            })}
          />
        )}
      </Field>
      {/* Stays busy until the provider's page opens: another click would start a second sign-in. */}
      <Button type="submit" variant="primary" size="lg" busy={isLoading || data !== undefined}>
        {t('auth.sso.continue')}
      </Button>
    </form>
  );
}

/** Asks for the organization and redirects to its identity provider. */
export function SsoPage() {
  useDocumentTitle(t('auth.sso.sign_in_with_sso'));
  const { data: session, error, isLoading } = useReadSessionQuery();
  const destination = useDestination();
  if (isLoading) return <FirstSkeleton />;
  if (session && !error) return <Navigate to={destination} replace />;
  return (
    <AuthFrame title={t('auth.sso.sign_in_with_sso')}>
      <Card className="flex flex-col gap-4 p-5">
        <p className="text-muted">{t('auth.sso.where_sso_leads')}</p>
        <SubdomainForm destination={destination} />
        <Link to={addressWith('/auth', destination)} className="self-center font-medium text-accent-text hover:underline">
          {t('auth.sso.sign_in_with_email_and_password')}
        </Link>
      </Card>
    </AuthFrame>
  );
}
