import type { ExternalStatus } from '@tandem/contracts';
import { statusLabels, ticketStatuses, type TicketStatus } from '@tandem/contracts/values';
import { ArrowLeftRight, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { t } from '../../lib/staff-texts';
import { StatusMark } from '../../lib/ticket-badges';
import { Select, type SelectOption } from '../../ui/Select';
import type { SettingsProps } from './settings-draft';

/** Select value for 'not sent', because a select has no empty value; no status name starts with a space. */
const notSent = ' ';

const Dot = ({ color }: { color: string | null }) => (
  <span aria-hidden className="size-2.5 shrink-0 rounded-full bg-gray-solid" style={color ? { backgroundColor: color } : undefined} />
);

/** The list's statuses, the mapped one even if the list no longer has it, and 'not sent'. */
function optionsOf(statuses: ExternalStatus[], mapped: string | null): SelectOption[] {
  const gone = mapped !== null && !statuses.some(({ name }) => name === mapped);
  return [
    ...statuses.map(({ name, color }) => ({ value: name, label: name, mark: <Dot color={color} /> })),
    ...(gone ? [{ value: mapped, label: t('integration.mapped_no_longer_in_list', { mapped }), mark: <Dot color={null} /> }] : []),
    { value: notSent, label: t('integration.do_not_send') },
  ];
}

function StatusRow({ status, statuses, mapped, onChange }: RowProps) {
  const hint = useId();
  const isGone = mapped !== null && !statuses.some(({ name }) => name === mapped);
  const note = mapped === null ? t('integration.not_sent_until_you_choose') : isGone ? t('integration.no_longer_in_this_list') : '';
  return (
    <li className="grid items-center gap-x-3 gap-y-1 py-2 sm:grid-cols-[11rem_auto_minmax(0,1fr)]">
      <span className="flex items-center gap-2 font-medium">
        <StatusMark status={status} />
        {statusLabels[status]}
      </span>
      <ArrowLeftRight className="size-3.5 text-faint max-sm:hidden" aria-hidden />
      <div className="min-w-0">
        <Select
          label={t('integration.status_for_status_name', { statusName: statusLabels[status] })}
          value={mapped ?? notSent}
          options={optionsOf(statuses, mapped)}
          aria-describedby={note ? hint : undefined}
          onChange={(value) => onChange(value === notSent ? null : value)}
        />
        {note && (
          <p id={hint} className="mt-1 flex items-center gap-1 text-xs text-amber-text">
            <TriangleAlert className="size-3.5 shrink-0" aria-hidden />
            {note}
          </p>
        )}
      </div>
    </li>
  );
}
interface RowProps {
  status: TicketStatus;
  statuses: ExternalStatus[];
  mapped: string | null;
  onChange: (name: string | null) => void;
}

/** Maps each ticket status to a status of the list. */
export function StatusMapping({ tool, list, draft, set }: SettingsProps) {
  const id = useId();
  if (!tool.capabilities.fields.includes('status')) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="font-semibold">
        {t('integration.statuses')}
      </h3>
      <p className="text-muted">{t('integration.match_statuses')}</p>
      <ul className="mt-2 divide-y border-y">
        {ticketStatuses.map((status) => (
          <StatusRow
            key={status}
            status={status}
            statuses={list.statuses}
            mapped={draft.statuses[status]}
            onChange={(name) => set({ statuses: { ...draft.statuses, [status]: name } })}
          />
        ))}
      </ul>
    </section>
  );
}
