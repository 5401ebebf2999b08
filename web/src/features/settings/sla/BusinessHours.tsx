import type { BusinessSpan } from '@tandem/contracts';
import { weekdays, type Weekday } from '@tandem/contracts/values';
import { Copy, Plus, X } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../../lib/staff-texts';
import { dayNames } from '../../../lib/weekdays';
import { Button } from '../../../ui/Button';
import { Input } from '../../../ui/Input';
import { mondayEveryDay, nextSpan, problemOfDay, spansOf, withDay, type Hours } from './working-time';

interface SpanProps {
  name: string;
  span: BusinessSpan;
  isWrong: boolean;
  describedBy: string | undefined;
  onChange: (span: BusinessSpan) => void;
  onRemove: () => void;
}

function Span({ name, span, isWrong, describedBy, onChange, onRemove }: SpanProps) {
  const state = { 'aria-invalid': isWrong || undefined, 'aria-describedby': describedBy };
  return (
    <div className="flex items-center gap-1.5" role="group" aria-label={name}>
      <Input
        type="time"
        aria-label={t('settings.sla.name_from', { name })}
        className="w-30"
        value={span.from}
        onChange={(event) => onChange({ ...span, from: event.target.value })}
        {...state}
      />
      <span className="text-muted">{t('settings.sla.to')}</span>
      {/* A time input has no 24:00: as the end of a span, 00:00 means the end of the day. */}
      <Input
        type="time"
        aria-label={t('settings.sla.name_to', { name })}
        className="w-30"
        value={span.to === '24:00' ? '00:00' : span.to}
        onChange={(event) => onChange({ ...span, to: event.target.value === '00:00' ? '24:00' : event.target.value })}
        {...state}
      />
      <Button variant="ghost" size="icon-sm" aria-label={t('settings.sla.remove_name', { name })} onClick={onRemove}>
        <X aria-hidden />
      </Button>
    </div>
  );
}

function Day({ day, hours, onChange }: { day: Weekday; hours: Hours; onChange: (hours: Hours) => void }) {
  const errorId = useId();
  const spans = spansOf(hours, day);
  const problem = problemOfDay(spans);
  const next = nextSpan(hours, day);
  const set = (changed: BusinessSpan[]) => onChange(withDay(hours, day, changed));
  const nameOf = (index: number) => (spans.length === 1 ? dayNames[day] : `${dayNames[day]} ${index + 1}`);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1.5 border-b py-2 last:border-b-0">
      <span className="flex min-h-8 w-24 items-center font-medium touch:min-h-10">{dayNames[day]}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        {spans.length === 0 && <span className="flex min-h-8 items-center text-muted touch:min-h-10">{t('settings.sla.closed')}</span>}
        {spans.map((span, index) => (
          <Span
            key={index}
            name={nameOf(index)}
            span={span}
            isWrong={problem !== undefined}
            describedBy={problem && errorId}
            onChange={(changed) => set(spans.with(index, changed))}
            onRemove={() => set(spans.toSpliced(index, 1))}
          />
        ))}
        {problem && (
          <p id={errorId} role="alert" className="text-xs text-red-text">
            {problem}
          </p>
        )}
      </div>
      <Button
        variant="ghost"
        size="icon"
        aria-label={t('settings.sla.add_hours_on_day_name', { dayName: dayNames[day] })}
        disabled={!next}
        onClick={() => next && set([...spans, next])}
      >
        <Plus aria-hidden />
      </Button>
    </li>
  );
}

/** Business hours per weekday, with any number of spans per day. */
export function BusinessHours({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  return (
    <div>
      <ul aria-label={t('settings.sla.business_hours')}>
        {weekdays.map((day) => (
          <Day key={day} day={day} hours={hours} onChange={onChange} />
        ))}
      </ul>
      {hours.length === 0 && (
        <p role="alert" className="mb-2 text-xs text-red-text">
          {t('settings.sla.choose_at_least_one_day')}
        </p>
      )}
      <Button size="sm" disabled={spansOf(hours, 'mon').length === 0} onClick={() => onChange(mondayEveryDay(hours))}>
        <Copy aria-hidden />
        {t('settings.sla.copy_monday_to_all_days')}
      </Button>
    </div>
  );
}
