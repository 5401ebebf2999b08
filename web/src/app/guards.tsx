import { roleRank, type Role } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { notify } from '../lib/notify';
import { isProblem } from '../lib/problem';
import { t } from '../lib/staff-texts';
import { FirstSkeleton } from '../ui/PageSkeletons';
import { useReadSessionQuery } from './api';
import { ErrorPage } from './ErrorPage';

interface GuardProps {
  /** Users with a lower role are redirected to /dashboard. */
  minimumRole?: Role;
  /** Users with other roles are redirected to /dashboard. */
  allowed?: readonly Role[];
  /** Notice shown to users who are redirected. */
  denied?: string;
}

function Denied({ sentence }: { sentence: string }) {
  useEffect(() => notify.info(sentence), [sentence]);
  return <Navigate to="/dashboard" replace />;
}

/**
 * Protects routes. While loading: the page’s shape. Not signed in: /auth, with the original location. No organization: /onboarding (unless already
 * there). Role check failed: /dashboard. The account page is open to every signed-in user, and users who must set up two-factor sign-in
 * are redirected to it. The server enforces all of this; the guard only avoids pages full of errors.
 */
export function Guard({ minimumRole, allowed, denied }: GuardProps) {
  const location = useLocation();
  const { data: session, error, isLoading, refetch } = useReadSessionQuery();
  if (isLoading) return <FirstSkeleton />;
  if (isProblem(error) && error.status === 401) return <Navigate to="/auth" replace state={{ from: location }} />;
  if (!session) return error ? <ErrorPage onRetry={() => void refetch()} /> : <FirstSkeleton />;
  const inOwnAccount = location.pathname === '/account';
  if (session.mfa_enrolment_required && !inOwnAccount)
    return <Navigate to="/account?setup=two-factor" replace state={{ from: location }} />;
  if (!session.profile.organization_id && location.pathname !== '/onboarding' && !inOwnAccount)
    return <Navigate to="/onboarding" replace />;
  const { role } = session.profile;
  const tooLow = minimumRole !== undefined && (role === null || roleRank[role] < roleRank[minimumRole]);
  const notAllowed = allowed !== undefined && (role === null || !allowed.includes(role));
  if (tooLow || notAllowed) return denied ? <Denied sentence={denied} /> : <Navigate to="/dashboard" replace />;
  return <Outlet />;
}

/** The panels of the settings that managers may open, to read them. */
const panelsForManagers: ReadonlySet<string | null> = new Set(['rules']);

/** The settings are for admins, except for some panels. */
export function SettingsGuard() {
  const { pathname, search } = useLocation();
  const isForManagers = pathname === '/settings' && panelsForManagers.has(new URLSearchParams(search).get('tab'));
  return <Guard minimumRole={isForManagers ? 'manager' : 'admin'} denied={t('app.only_administrators_can_change_settings')} />;
}
