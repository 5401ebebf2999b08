import { lazy, Suspense, useState } from 'react';
import { Link, useLocation, useNavigate, useSearchParams, type Location } from 'react-router-dom';
import { useSession } from '../../app/api';
import { cn } from '../../lib/cn';
import { safeRedirect } from '../../lib/redirect';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { PageHeader } from '../../ui/PageHeader';
import { Rich } from '../../ui/Rich';
import { Skeleton } from '../../ui/Skeleton';
import { NameSection } from './NameSection';

// Requested together with the page, which does not wait for it: the name section renders first. Placeholders avoid a layout shift.
const forms = import('./sign-in-forms');
const EmailSection = lazy(() => forms.then((module) => ({ default: module.EmailSection })));
const SignatureSection = lazy(() => forms.then((module) => ({ default: module.SignatureSection })));
const PasswordSection = lazy(() => forms.then((module) => ({ default: module.PasswordSection })));
// These sections wait for server data and are mostly below the fold.
const TwoFactorSection = lazy(() => import('./TwoFactorSection').then((module) => ({ default: module.TwoFactorSection })));
const NotificationsSection = lazy(() => import('./NotificationsSection').then((module) => ({ default: module.NotificationsSection })));
const DevicesSection = lazy(() => import('./DevicesSection').then((module) => ({ default: module.DevicesSection })));

/** For a user who must set up two-factor sign-in: continues to the page they originally wanted. */
function useContinue(): (() => void) | undefined {
  const { mfa_enrolment_required } = useSession();
  // Read once on arrival: the last step of the setup clears the flag.
  const [asked] = useState(mfa_enrolment_required);
  const navigate = useNavigate();
  const from = (useLocation().state as { from?: Location } | null)?.from;
  if (!asked) return undefined;
  return () => void navigate(from ? safeRedirect(`${from.pathname}${from.search}`) : '/dashboard', { replace: true });
}

/** The user's own account, open to everyone who is signed in. */
export function AccountPage() {
  const { organization, profile, mfa_enrolment_required } = useSession();
  const [search] = useSearchParams();
  const onContinue = useContinue();
  // Fixed on arrival: moving the section would remount it, and its recovery codes are shown only once.
  const [setUp] = useState(mfa_enrolment_required || search.get('setup') === 'two-factor');
  // Without the settings navigation next to it.
  const [isBare] = useState(!profile.organization_id || mfa_enrolment_required);
  return (
    <div className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-canvas">
      <PageHeader title={t('account.your_account')} />
      <div className={cn('flex max-w-2xl flex-col gap-5 p-6 max-md:p-4', isBare && 'mx-auto')}>
        {mfa_enrolment_required && (
          <Alert>{t('account.organization_requires_two_factor', { name: organization?.name ?? t('account.your_organization') })}</Alert>
        )}
        {!profile.organization_id && (
          <Alert>
            <Rich
              text={t('account.you_dont_belong_to_organization')}
              tags={{
                link: (inside) => (
                  <Link to="/onboarding" className="font-medium underline underline-offset-2">
                    {inside}
                  </Link>
                ),
              }}
            />
          </Alert>
        )}
        {setUp && (
          <Suspense fallback={<Skeleton className="h-48" />}>
            <TwoFactorSection setUp onContinue={onContinue} />
          </Suspense>
        )}
        <NameSection />
        {profile.organization_id && (
          <Suspense fallback={<Skeleton className="h-56 rounded-lg" />}>
            <SignatureSection />
          </Suspense>
        )}
        <Suspense fallback={<Skeleton className="h-73.5 rounded-lg" />}>
          <EmailSection />
        </Suspense>
        {profile.organization_id && !mfa_enrolment_required && (
          <Suspense fallback={<Skeleton className="h-60" />}>
            <NotificationsSection />
          </Suspense>
        )}
        <div id="security" className="flex scroll-mt-5 flex-col gap-5">
          <Suspense fallback={<Skeleton className="h-70 rounded-lg" />}>
            <PasswordSection />
          </Suspense>
          <Suspense fallback={<Skeleton className="h-96" />}>
            {!setUp && <TwoFactorSection setUp={false} onContinue={undefined} />}
            <DevicesSection />
          </Suspense>
        </div>
      </div>
    </div>
  );
}
