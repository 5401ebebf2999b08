import { useState } from 'react';
import { Navigate, useLocation, useSearchParams, type Location } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { safeRedirect } from '../../lib/redirect';
import { Card } from '../../ui/Card';
import { useDocumentTitle } from '../../ui/PageHeader';
import { PageSpinner } from '../../ui/Spinner';
import { Tab, TabPanel, Tabs, TabsList } from '../../ui/Tabs';
import { AuthFrame } from './AuthFrame';
import { SignInForm } from './SignInForm';
import { SignUpForm } from './SignUpForm';

/** Where to go once signed in: the page that sent the person here, or `?redirect=`, inside the product only. */
function useDestination(): string {
  const [search] = useSearchParams();
  const from = (useLocation().state as { from?: Location } | null)?.from;
  return safeRedirect(search.get('redirect'), from ? safeRedirect(`${from.pathname}${from.search}`) : '/dashboard');
}

export function AuthPage() {
  const { data: session, error, isLoading } = useReadSessionQuery();
  const destination = useDestination();
  const [search] = useSearchParams();
  const [tab, setTab] = useState(search.get('tab') === 'sign-up' ? 'sign-up' : 'sign-in');
  useDocumentTitle(tab === 'sign-in' ? 'Sign In' : 'Sign Up');
  if (isLoading) return <PageSpinner />;
  if (session && !error) return <Navigate to={destination} replace />;
  return (
    <AuthFrame title={tab === 'sign-in' ? 'Sign in to Tandem' : 'Create your account'}>
      <Card className="p-5">
        <Tabs value={tab} onValueChange={setTab}>
          <TabsList className="mb-5 flex w-full" aria-label="Sign in or sign up">
            <Tab value="sign-in">Sign In</Tab>
            <Tab value="sign-up">Sign Up</Tab>
          </TabsList>
          <TabPanel value="sign-in">
            <SignInForm email={search.get('email') ?? ''} />
          </TabPanel>
          <TabPanel value="sign-up">
            <SignUpForm />
          </TabPanel>
        </Tabs>
      </Card>
    </AuthFrame>
  );
}
