import { lazy, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useSession } from './api';
import { LimitNotice } from './LimitNotice';
import { Shell } from './Shell';

const BareFrame = lazy(() => import('./BareFrame').then((module) => ({ default: module.BareFrame })));

/** The full shell for members; a bare frame for users who have no organization yet or must set up two-factor sign-in first. */
export function Frame() {
  const { profile, mfa_enrolment_required } = useSession();
  const { pathname } = useLocation();
  const isBare = !profile.organization_id || mfa_enrolment_required;
  const [wasBare, setWasBare] = useState(isBare);
  // Keep the bare frame until the user leaves the page: switching frames would remount it, and its recovery codes are shown only once.
  const keep = isBare || (wasBare && pathname === '/account');
  if (keep !== wasBare) setWasBare(keep);
  return (
    <>
      {keep ? <BareFrame /> : <Shell />}
      <LimitNotice />
    </>
  );
}
