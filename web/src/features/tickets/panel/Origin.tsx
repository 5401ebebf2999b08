import type { Ticket } from '@tandem/contracts';
import { channelLabels, languageNames, languages, type Language } from '@tandem/contracts/values';
import { BadgeCheck, CornerDownRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { useSession } from '../../../app/api';
import { Select } from '../../../ui/Select';
import { useReadTicketQuery } from '../tickets.api';
import { useTicketChange } from '../use-ticket-change';

function FollowUp({ of }: { of: string }) {
  const { data } = useReadTicketQuery(of);
  return (
    <Link to={`/tickets/${of}`} className="flex items-center gap-1.5 text-accent-text hover:underline">
      <CornerDownRight className="size-3.5 shrink-0" aria-hidden />
      <span className="truncate">
        {data
          ? t('tickets.panel.follow_up_to_ticket_number', { ticket_number: data.ticket_number, subject: data.subject })
          : t('tickets.panel.follow_up_to_earlier_ticket')}
      </span>
    </Link>
  );
}

/** The customer's language, unless it is the one that most customers have. */
export function LanguageBadge({ ticket }: { ticket: Ticket }) {
  const { organization } = useSession();
  if (!ticket.language || ticket.language === organization?.languages.default) return null;
  return <Badge title={t('tickets.panel.customers_language')}>{languageNames[ticket.language]}</Badge>;
}

const unknown = 'unknown';
const languageOptions = [
  { value: unknown, label: t('tickets.panel.default_language') },
  ...languages.map((language) => ({ value: language, label: languageNames[language] })),
];

/** The language of the ticket's emails. */
function TicketLanguage({ ticket }: { ticket: Ticket }) {
  const { setLanguage } = useTicketChange(ticket.id);
  return (
    <div className="flex w-full items-center gap-2 text-xs text-muted">
      <span aria-hidden>{t('tickets.panel.language')}</span>
      <Select
        look="quiet"
        label={t('tickets.panel.language')}
        value={ticket.language ?? unknown}
        options={languageOptions}
        onChange={(next) => next !== (ticket.language ?? unknown) && void setLanguage(next === unknown ? null : (next as Language))}
      />
    </div>
  );
}

/** The channel of the ticket, whether its customer is verified, the ticket that it follows up, and its language. */
export function Origin({ ticket }: { ticket: Ticket }) {
  return (
    <>
      {ticket.channel && <Badge title={t('tickets.panel.channel')}>{channelLabels[ticket.channel]}</Badge>}
      {ticket.customer_verified && (
        <Badge tone="green" title={t('tickets.panel.who_verified_customer')}>
          <BadgeCheck aria-hidden />
          {t('tickets.panel.verified_customer')}
        </Badge>
      )}
      {ticket.follow_up_of_id && <FollowUp of={ticket.follow_up_of_id} />}
      <TicketLanguage ticket={ticket} />
    </>
  );
}
