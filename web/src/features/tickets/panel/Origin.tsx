import type { Ticket } from '@tandem/contracts';
import { channelLabels } from '@tandem/contracts/values';
import { BadgeCheck, CornerDownRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Badge } from '../../../ui/Badge';
import { useReadTicketQuery } from '../tickets.api';

function FollowUp({ of }: { of: string }) {
  const { data } = useReadTicketQuery(of);
  return (
    <Link to={`/tickets/${of}`} className="flex items-center gap-1.5 text-accent-text hover:underline">
      <CornerDownRight className="size-3.5 shrink-0" aria-hidden />
      <span className="truncate">Follow-up to {data ? `${data.ticket_number} ${data.subject}` : 'an earlier ticket'}</span>
    </Link>
  );
}

/** The channel of the ticket, whether its customer is verified, and the ticket that it follows up. */
export function Origin({ ticket }: { ticket: Ticket }) {
  return (
    <>
      {ticket.channel && <Badge title="Channel">{channelLabels[ticket.channel]}</Badge>}
      {ticket.customer_verified && (
        <Badge tone="green" title="Verified by the website that embeds the widget">
          <BadgeCheck aria-hidden />
          Verified customer
        </Badge>
      )}
      {ticket.follow_up_of_id && <FollowUp of={ticket.follow_up_of_id} />}
    </>
  );
}
