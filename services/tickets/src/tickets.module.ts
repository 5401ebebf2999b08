import { defineService } from '@tandem/messaging';
import { CommentService } from './comment/comment.service';
import { PortalService } from './portal/portal.service';
import { IdentityProjection } from './projection/identity-projection';
import { TicketListService } from './ticket/ticket-list.service';
import { TicketService } from './ticket/ticket.service';

/** Tickets, comments, numbering and the public portal's use cases. */
export const ticketsService = defineService({
  name: 'tickets',
  controllers: [TicketService, TicketListService, CommentService, PortalService],
  providers: () => [IdentityProjection],
});
