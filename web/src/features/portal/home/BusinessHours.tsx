import { Clock } from 'lucide-react';
import { useId } from 'react';
import { cn } from '../../../lib/cn';
import { useNow } from '../../../lib/now';
import { useTexts } from '../language/texts';
import { openingAt, openingText, wallClock, weekdayOf, weekTexts, zoneText, type Schedule } from './hours';

/** Whether the team is available now, and its weekly hours. */
export function BusinessHours({ schedule }: { schedule: Schedule }) {
  const id = useId();
  const t = useTexts();
  const now = useNow();
  const opening = openingAt(schedule, now);
  if (!opening || !schedule.business_hours) return null;
  const { state, detail } = openingText(opening, t);
  const today = weekdayOf(wallClock(schedule.time_zone, now).date);
  return (
    <section
      aria-labelledby={id}
      className="mt-4 grid gap-x-8 gap-y-4 rounded-xl border bg-surface p-5 sm:mt-5 sm:grid-cols-[2fr_3fr] sm:p-6"
    >
      <div>
        <h2 id={id} className="flex items-center gap-2 text-md font-medium text-muted">
          <Clock className="size-4" aria-hidden />
          {t('hours.title')}
        </h2>
        <p className="mt-2 flex items-center gap-2 text-lg font-semibold">
          <span aria-hidden className={cn('size-2.5 shrink-0 rounded-full', opening.isOpen ? 'bg-green-solid' : 'bg-gray-solid')} />
          {state}
        </p>
        {detail && <p className="text-md text-muted">{detail}</p>}
      </div>
      <div>
        <dl className="flex flex-col gap-1.5 text-md">
          {weekTexts(schedule.business_hours, t).map(({ days, hours, weekdays }) => (
            <div
              key={days}
              className={cn('flex flex-wrap justify-between gap-x-4', weekdays.includes(today) ? 'font-medium' : 'text-muted')}
            >
              <dt>{days}</dt>
              <dd className="tabular">{hours}</dd>
            </div>
          ))}
        </dl>
        <p className="mt-3 text-sm text-muted">{t('hours.anytime', { zone: zoneText(schedule.time_zone, now, t) })}</p>
      </div>
    </section>
  );
}
