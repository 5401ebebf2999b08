import { Link } from 'react-router-dom';
import { useNow } from '../lib/now';
import { t } from '../lib/staff-texts';
import { useSession } from './api';

const dayMs = 86_400_000;

/** The remaining days of the trial, for admins of an organization without a plan, below the navigation. */
export function TrialNote() {
  const { organization, profile } = useSession();
  const now = useNow();
  // The plan is undefined while an older version of identity answers, during an upgrade.
  if (!organization || organization.plan || profile.role !== 'admin') return null;
  const days = Math.ceil((new Date(organization.trial_ends_at).getTime() - now) / dayMs);
  if (days <= 0) return null;
  return (
    <Link
      to="/organization-settings"
      className="mx-2 mt-auto mb-3 rounded-md px-2.5 py-1.5 text-xs text-muted hover:bg-hover hover:text-ink max-xl:hidden"
    >
      {t('app.days_left_in_trial', { days })}
    </Link>
  );
}
