import { slaLimits } from '@tandem/contracts/values';
import { X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { formatDay } from '../../../lib/dates';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import type { Holiday } from './working-time';

function AddHoliday({ holidays, onAdd }: { holidays: Holiday[]; onAdd: (holiday: Holiday) => void }) {
  const [date, setDate] = useState('');
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  const isFull = holidays.length >= slaLimits.holidays;
  const add = () => {
    if (date === '') return setError(t('settings.sla.enter_date'));
    if (name.trim() === '') return setError(t('settings.sla.enter_name_for_holiday'));
    if (holidays.some((holiday) => holiday.date === date)) return setError(t('settings.sla.day_is_already_in_list'));
    onAdd({ date, name: name.trim() });
    setDate('');
    setName('');
    setError(undefined);
  };
  // This input is inside the settings form: Enter must add the day, not submit the form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <div className="flex flex-wrap items-start gap-2" role="group" aria-label={t('settings.sla.new_holiday')}>
      <Field label={t('settings.sla.date')} className="w-40" error={error}>
        {(control) => (
          <Input {...control} type="date" value={date} onKeyDown={onKeyDown} onChange={(event) => setDate(event.target.value)} />
        )}
      </Field>
      <Field label={t('settings.sla.holiday_name')} className="min-w-40 flex-1">
        {(control) => (
          <Input {...control} maxLength={100} value={name} onKeyDown={onKeyDown} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Button className="mt-6.5" onClick={add} disabled={isFull}>
        {t('settings.sla.add_holiday')}
      </Button>
    </div>
  );
}

/** Days that count as non-working days. */
export function Holidays({ holidays, onChange }: { holidays: Holiday[]; onChange: (holidays: Holiday[]) => void }) {
  const id = useId();
  const sorted = [...holidays].sort((a, b) => (a.date < b.date ? -1 : 1));
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-medium">
        {t('settings.sla.holidays')}
      </h3>
      {sorted.length === 0 ? (
        <p className="text-muted">{t('settings.sla.no_holidays_yet')}</p>
      ) : (
        <ul aria-label={t('settings.sla.holidays')} className="max-h-72 overflow-y-auto rounded-md border">
          {sorted.map((holiday) => (
            <li key={holiday.date} className="flex items-center gap-3 border-b px-3 py-1 last:border-b-0">
              <time dateTime={holiday.date} className="w-28 shrink-0 text-muted tabular-nums">
                {formatDay(holiday.date)}
              </time>
              <span className="min-w-0 flex-1 truncate">{holiday.name}</span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t('settings.sla.remove_name', { name: holiday.name })}
                onClick={() => onChange(holidays.filter((each) => each !== holiday))}
              >
                <X aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
      <AddHoliday holidays={holidays} onAdd={(holiday) => onChange([...holidays, holiday])} />
    </section>
  );
}
