import type { MfaChallenge } from '@tandem/contracts';
import { sessionRules } from '@tandem/contracts/values';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { endedByClock, sessionEnd, type EndReason } from '../../app/session-end';
import { Alert } from '../../ui/Alert';
import { Card } from '../../ui/Card';
import { useDocumentTitle } from '../../ui/PageHeader';
import { FirstSkeleton } from '../../ui/PageSkeletons';
import { Skeletons } from '../../ui/Skeleton';
import { Tab, TabPanel, Tabs, TabsList } from '../../ui/Tabs';
import { AuthFrame } from '../../ui/AuthFrame';
import { addressWith, useDestination } from '../../app/destination';
import { SignInForm } from './SignInForm';

// Loaded on demand: most users see none of these.
const SignUpForm = lazy(() => import('./SignUpForm').then((module) => ({ default: module.SignUpForm })));
const CodeStep = lazy(() => import('./CodeStep').then((module) => ({ default: module.CodeStep })));
const SsoError = lazy(() => import('./SsoError').then((module) => ({ default: module.SsoError })));

const endTexts: Record<EndReason, string | undefined> = {
  signed_out: undefined,
  idle: `You were signed out because you were inactive for ${sessionRules.idleMinutes} minutes. Sign in to continue where you left off.`,
  absolute: `You were signed out because a session ends after ${sessionRules.absoluteHours} hours. Sign in to continue where you left off.`,
  ended: 'Your session has expired. Please sign in again.',
};

const invited = 'You’re invited. Sign in, or sign up with the address in your invitation.';

/** Explains why the user was sent to the sign-in page, if they did not open it themselves. */
function Reason({ destination }: { destination: string }) {
  const [search] = useSearchParams();
  const [end] = useState(sessionEnd);
  const refused = search.get('sso_error');
  if (refused) {
    return (
      <Suspense fallback={null}>
        <SsoError code={refused} />
      </Suspense>
    );
  }
  const text = (end && endTexts[end.reason]) ?? (destination.startsWith('/accept-invitation?') ? invited : undefined);
  return text ? <Alert>{text}</Alert> : null;
}

function SignInOrUp({ email, notice, onChallenge }: Parameters<typeof SignInForm>[0]) {
  const [search] = useSearchParams();
  const destination = useDestination();
  const [tab, setTab] = useState(search.get('tab') === 'sign-up' ? 'sign-up' : 'sign-in');
  useDocumentTitle(tab === 'sign-in' ? 'Sign In' : 'Sign Up');
  return (
    <AuthFrame title={tab === 'sign-in' ? 'Sign in to Tandem' : 'Create your account'}>
      <div className="flex flex-col gap-4">
        <Reason destination={destination} />
        <Card className="p-5">
          <Tabs value={tab} onValueChange={setTab}>
            <TabsList className="mb-5 flex w-full" aria-label="Sign in or sign up">
              <Tab value="sign-in">Sign In</Tab>
              <Tab value="sign-up">Sign Up</Tab>
            </TabsList>
            <TabPanel value="sign-in">
              <SignInForm email={email} notice={notice} onChallenge={onChallenge} />
            </TabPanel>
            <TabPanel value="sign-up">
              <Suspense fallback={<Skeletons className="flex flex-col gap-4" blocks={['h-16', 'h-16', 'h-16', 'h-16', 'h-10']} />}>
                <SignUpForm />
              </Suspense>
            </TabPanel>
          </Tabs>
        </Card>
        <p className="text-center text-muted">
          <Link to={addressWith('/auth/sso', destination)} className="font-medium text-accent-text hover:underline">
            Sign in with SSO
          </Link>
        </p>
      </div>
    </AuthFrame>
  );
}

/** Sign-in in one step, or in two if the account requires a code. */
export function AuthPage() {
  const { data: session, error, isLoading } = useReadSessionQuery();
  const destination = useDestination();
  const [search] = useSearchParams();
  const [email, setEmail] = useState(search.get('email') ?? '');
  const [challenge, setChallenge] = useState<MfaChallenge>();
  const [notice, setNotice] = useState<string>();
  // After a timeout show the form immediately, without waiting for the server's answer or trusting it.
  if (isLoading && !endedByClock()) return <FirstSkeleton />;
  if (session && !error && !endedByClock()) return <Navigate to={destination} replace />;
  if (challenge) {
    const back = (why?: string) => {
      setNotice(why);
      setChallenge(undefined);
    };
    return (
      <Suspense fallback={<FirstSkeleton />}>
        <CodeStep challenge={challenge} onBack={back} />
      </Suspense>
    );
  }
  const toCode = (next: MfaChallenge, address: string) => {
    setEmail(address);
    setChallenge(next);
  };
  // Links on this page also open the tab that they name.
  return <SignInOrUp key={search.get('tab')} email={email} notice={notice} onChallenge={toCode} />;
}
