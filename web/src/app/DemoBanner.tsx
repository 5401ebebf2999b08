import { useNavigate } from 'react-router-dom';
import { formatTimeOfDay } from '../lib/dates';
import { t } from '../lib/staff-texts';
import { useSignOut } from './session-store';

/** Above every page of a demo organization. */
export function DemoBanner({ endsAt }: { endsAt: string }) {
  const signOut = useSignOut();
  const navigate = useNavigate();
  // The sign-up page is for visitors who are signed out.
  const startTrial = async () => {
    await signOut();
    await navigate('/auth?tab=sign-up', { replace: true });
  };
  return (
    <p role="note" className="shrink-0 border-b bg-accent-soft px-4 py-1.5 text-center text-sm text-pretty text-ink print:hidden">
      {t('app.this_demo_is_yours_alone', { timeOfDay: formatTimeOfDay(endsAt) })}{' '}
      <button
        type="button"
        onClick={() => void startTrial()}
        className="font-medium text-accent-text underline underline-offset-2 touch:py-2"
      >
        {t('app.start_your_own_free_trial')}
      </button>
    </p>
  );
}
