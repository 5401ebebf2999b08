import type { Ticket } from '@tandem/contracts';
import { AlarmClock, AlarmClockOff, CalendarClock, Reply } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { formatMoment } from '../../../lib/dates';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { CommandDialog, CommandItem } from '../../../ui/CommandDialog';
import { Dialog } from '../../../ui/Dialog';
import { Field } from '../../../ui/Field';
import { Input } from '../../../ui/Input';
import { inputValue, snoozeChoices } from './snooze-times';
import { useSnoozeTicketMutation, useWakeTicketMutation } from './snooze.api';

interface SnoozeDialogProps {
  ticket: Pick<Ticket, 'id' | 'ticket_number' | 'snoozed_at'>;
  onClose: () => void;
}

function DateForm({ label, onChoose, onClose }: { label: string; onChoose: (until: string) => void; onClose: () => void }) {
  const [tomorrow] = useState(() => inputValue(snoozeChoices(new Date()).find((choice) => choice.label === 'Tomorrow')!.until));
  const [value, setValue] = useState(tomorrow);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const until = new Date(value);
    if (Number.isNaN(until.getTime()) || until.getTime() <= Date.now()) return setError(t('tickets.snooze.choose_time_in_future'));
    onChoose(until.toISOString());
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={label}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label={t('tickets.snooze.date_and_time')} error={error}>
          {(control) => <Input {...control} type="datetime-local" value={value} onChange={(event) => setValue(event.target.value)} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t('tickets.snooze.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('tickets.snooze.snooze')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Snoozes a ticket, or ends its snooze. */
export function SnoozeDialog({ ticket, onClose }: SnoozeDialogProps) {
  const [isOwnDate, setIsOwnDate] = useState(false);
  const [snooze] = useSnoozeTicketMutation();
  const [wake] = useWakeTicketMutation();
  const [now] = useState(() => new Date());
  const choose = async (until: string | null) => {
    onClose();
    const { error } = await snooze({ id: ticket.id, until });
    if (error) notify.problem(error, t('tickets.snooze.couldnt_snooze_ticket'));
    else
      notify.success(
        until === null
          ? t('tickets.snooze.snoozed_until_customer_replies')
          : t('tickets.snooze.snoozed_until_moment', { moment: formatMoment(until) }),
      );
  };
  const end = async () => {
    onClose();
    const { error } = await wake(ticket.id);
    if (error) notify.problem(error, t('tickets.snooze.couldnt_end_snooze'));
  };
  const label = t('tickets.snooze.snooze_ticket_number', { ticket_number: ticket.ticket_number });
  if (isOwnDate) return <DateForm label={label} onChoose={(until) => void choose(until)} onClose={onClose} />;
  return (
    <CommandDialog label={label} placeholder={t('tickets.snooze.snooze_until', { ticket_number: ticket.ticket_number })} onClose={onClose}>
      {ticket.snoozed_at && (
        <CommandItem value="End snooze" mark={<AlarmClockOff aria-hidden />} onSelect={() => void end()}>
          {t('tickets.snooze.end_snooze')}
        </CommandItem>
      )}
      {snoozeChoices(now).map(({ label: name, until }) => (
        <CommandItem
          key={name}
          value={name}
          mark={<AlarmClock aria-hidden />}
          onSelect={() => void choose(until.toISOString())}
          end={<span className="tabular">{formatMoment(until.toISOString())}</span>}
        >
          {name}
        </CommandItem>
      ))}
      <CommandItem value="Until the customer replies" mark={<Reply aria-hidden />} onSelect={() => void choose(null)}>
        {t('tickets.snooze.until_customer_replies')}
      </CommandItem>
      <CommandItem value="Pick a date and time" mark={<CalendarClock aria-hidden />} onSelect={() => setIsOwnDate(true)}>
        {t('tickets.snooze.pick_date_and_time')}
      </CommandItem>
    </CommandDialog>
  );
}
