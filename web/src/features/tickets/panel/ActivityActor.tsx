import type { Activity } from '@tandem/contracts';
import { Link } from 'react-router-dom';
import { useRuleAddress } from '../rule-address';
import { actorOf } from './activity-labels';

/** The actor of a change; a rule as a link to its settings. */
export function ActivityActor({ activity }: { activity: Activity }) {
  const address = useRuleAddress(activity.rule);
  if (!address) return actorOf(activity);
  return (
    <Link to={address} className="underline decoration-line-strong underline-offset-2 hover:decoration-current">
      {actorOf(activity)}
    </Link>
  );
}
