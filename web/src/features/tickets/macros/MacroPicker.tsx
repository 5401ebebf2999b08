import type { Macro, Ticket } from '@tandem/contracts';
import { fillMacro } from '@tandem/contracts/values';
import { Lock, Settings2 } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useListMembersQuery, useSession } from '../../../app/api';
import { useCustomFields, useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { validChanges } from '../../../app/custom-fields/ticket-fields';
import { nameOf } from '../../../lib/names';
import { t } from '../../../lib/staff-texts';
import { SearchPicker } from '../picker/SearchPicker';
import { changeSentences } from './change-labels';
import { useListMacrosQuery } from './macros.api';

export interface FilledMacro extends Pick<Macro, 'is_internal' | 'changes'> {
  text: string;
}

/** The canned reply in the ticket's language, with this ticket's values instead of the variables. */
function useFill(ticket: Ticket) {
  const { profile, organization } = useSession();
  const { isSuccess } = useListCustomFieldsQuery();
  const fields = useCustomFields();
  return (macro: Macro): FilledMacro => ({
    is_internal: macro.is_internal,
    changes: isSuccess ? validChanges(fields, macro.changes) : macro.changes,
    text: fillMacro((ticket.language && macro.translations[ticket.language]) ?? macro.content, {
      'customer.name': ticket.customer_name ?? ticket.customer_email,
      'customer.email': ticket.customer_email,
      'ticket.number': ticket.ticket_number,
      'ticket.subject': ticket.subject,
      'agent.name': nameOf(profile),
      'agent.first_name': profile.first_name ?? nameOf(profile),
      'organization.name': organization?.name ?? '',
    }),
  });
}

const contains = (macro: Macro, search: string) =>
  [macro.name, macro.content, ...Object.values(macro.translations)].join('\n').toLowerCase().includes(search.trim().toLowerCase());

interface FoundMacroProps {
  macro: Macro;
  /** As it will be inserted. */
  filled: FilledMacro;
}

function FoundMacro({ macro, filled }: FoundMacroProps) {
  const { data: members = [] } = useListMembersQuery();
  const fields = useCustomFields();
  const second = [filled.text.replaceAll('\n', ' '), ...changeSentences(filled.changes, members, fields).map(({ text }) => text)].filter(
    Boolean,
  );
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium">
        <span className="truncate">{macro.name}</span>
        {macro.is_internal && <Lock className="size-3 shrink-0 text-amber-text" aria-label={t('tickets.macros.internal_note')} />}
      </span>
      <span dir="auto" className="block truncate text-xs text-muted">
        {second.join(' · ')}
      </span>
    </>
  );
}

const ManageLink = () => (
  <Link to="/canned-replies" className="flex h-9 shrink-0 items-center gap-2 border-t px-3 text-xs text-muted hover:text-ink">
    <Settings2 className="size-3.5" aria-hidden />
    {t('tickets.macros.manage_canned_replies')}
  </Link>
);

interface MacroPickerProps {
  ticket: Ticket;
  onPick: (macro: FilledMacro) => void;
  onClose: () => void;
}

/** A searchable list of canned replies to insert into the text. */
export function MacroPicker({ ticket, onPick, onClose }: MacroPickerProps) {
  const fill = useFill(ticket);
  const { data: macros, isError } = useListMacrosQuery();
  // Until then, a picked reply would contain values of deleted fields, and its assignee would have no name.
  const isLoading = [useListCustomFieldsQuery(), useListMembersQuery()].some((query) => query.isLoading);
  const [search, setSearch] = useState('');
  const isEmpty = macros?.length === 0;
  return (
    <SearchPicker
      label={t('tickets.macros.canned_replies')}
      searchLabel={t('tickets.macros.search_canned_replies')}
      search={search}
      onSearch={setSearch}
      items={isLoading ? undefined : macros?.filter((macro) => contains(macro, search))}
      keyOf={({ id }) => id}
      renderItem={(macro) => <FoundMacro macro={macro} filled={fill(macro)} />}
      onPick={(macro) => onPick(fill(macro))}
      onClose={onClose}
      error={isError ? t('tickets.macros.couldnt_load_canned_replies') : undefined}
      nothingFound={isEmpty ? t('tickets.macros.no_canned_replies_yet') : t('tickets.macros.nothing_found')}
      footer={<ManageLink />}
    />
  );
}
