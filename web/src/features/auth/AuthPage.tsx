import type { MfaChallenge } from '@tandem/contracts';
import { sessionRules } from '@tandem/contracts/values';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { useReadSessionQuery } from '../../app/api';
import { endedByClock, sessionEnd, type EndReason } from '../../app/session-end';
import { t } from '../../lib/staff-texts';
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
  idle: t('auth.signed_out_for_inactivity', { idleMinutes: sessionRules.idleMinutes }),
  absolute: t('auth.signed_out_at_session_end', { absoluteHours: sessionRules.absoluteHours }),
  ended: t('auth.session_has_expired'),
};

const invited = t('auth.you_are_invited');

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
  useDocumentTitle(tab === 'sign-in' ? t('auth.sign_in') : t('auth.sign_up'));
  return (
    <AuthFrame title={tab === 'sign-in' ? t('auth.sign_in_to_tandem') : t('auth.create_your_account')}>
      <div className="flex flex-col gap-4">
        <Reason destination={destination} />
        <Card className="p-5">
          <Tabs value={tab} onValueChange={setTab}>
            <TabsList className="mb-5 flex w-full" aria-label={t('auth.sign_in_or_sign_up')}>
              <Tab value="sign-in">{t('auth.sign_in')}</Tab>
              <Tab value="sign-up">{t('auth.sign_up')}</Tab>
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
            {t('auth.sign_in_with_sso')}
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
