import { formatClock, formatDate } from '../../../lib/dates';
import { useNow } from '../../../lib/now';

/** A time, with seconds if it is today: attempts often follow each other within one minute. */
export function Instant({ iso, className = '' }: { iso: string; className?: string }) {
  return (
    <time dateTime={iso} title={formatDate(iso)} className={`tabular ${className}`}>
      {formatClock(iso, useNow(), true)}
    </time>
  );
}
