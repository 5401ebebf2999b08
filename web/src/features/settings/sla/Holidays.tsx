import { slaLimits } from '@tandem/contracts/values';
import { X } from 'lucide-react';
import { useId, useState, type KeyboardEvent } from 'react';
import { formatDay } from '../../../lib/dates';
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
    if (date === '') return setError('Enter a date');
    if (name.trim() === '') return setError('Enter a name for the holiday');
    if (holidays.some((holiday) => holiday.date === date)) return setError('This day is already in the list');
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
    <div className="flex flex-wrap items-start gap-2" role="group" aria-label="New holiday">
      <Field label="Date" className="w-40" error={error}>
        {(control) => (
          <Input {...control} type="date" value={date} onKeyDown={onKeyDown} onChange={(event) => setDate(event.target.value)} />
        )}
      </Field>
      <Field label="Holiday name" className="min-w-40 flex-1">
        {(control) => (
          <Input {...control} maxLength={100} value={name} onKeyDown={onKeyDown} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Button className="mt-6.5" onClick={add} disabled={isFull}>
        Add holiday
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
        Holidays
      </h3>
      {sorted.length === 0 ? (
        <p className="text-muted">None yet. SLA timers pause all day on a holiday.</p>
      ) : (
        <ul aria-label="Holidays" className="max-h-72 overflow-y-auto rounded-md border">
          {sorted.map((holiday) => (
            <li key={holiday.date} className="flex items-center gap-3 border-b px-3 py-1 last:border-b-0">
              <time dateTime={holiday.date} className="w-28 shrink-0 text-muted tabular-nums">
                {formatDay(holiday.date)}
              </time>
              <span className="min-w-0 flex-1 truncate">{holiday.name}</span>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={`Remove ${holiday.name}`}
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
