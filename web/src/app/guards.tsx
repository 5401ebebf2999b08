import { roleRank, type Role } from '@tandem/contracts/values';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { notify } from '../lib/notify';
import { isProblem } from '../lib/problem';
import { PageSpinner } from '../ui/Spinner';
import { useReadSessionQuery } from './api';
import { ErrorPage } from './ErrorPage';

interface GuardProps {
  /** Lower ranks go to /dashboard. */
  minimumRole?: Role;
  /** Everybody else goes to /dashboard. */
  allowed?: readonly Role[];
  /** Told to those who are sent away. */
  denied?: string;
}

function Denied({ sentence }: { sentence: string }) {
  useEffect(() => notify.info(sentence), [sentence]);
  return <Navigate to="/dashboard" replace />;
}

/**
 * Spec part 1, 'Protected routes'. While loading: spinner. Nobody signed in: /auth, keeping the origin location. Without an
 * organization: /onboarding (unless already there). A failing role check: /dashboard. The own account is open to everybody signed in, and
 * whoever must set up two-factor sign-in first goes there. The server decides; this only spares the person a refusal.
 */
export function Guard({ minimumRole, allowed, denied }: GuardProps) {
  const location = useLocation();
  const { data: session, error, isLoading, refetch } = useReadSessionQuery();
  if (isLoading) return <PageSpinner />;
  if (isProblem(error) && error.status === 401) return <Navigate to="/auth" replace state={{ from: location }} />;
  if (!session) return error ? <ErrorPage onRetry={() => void refetch()} /> : <PageSpinner />;
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
