import { defineService } from '@tandem/messaging';
import { AutoAssignment } from './assignment/auto-assignment';
import { Releases } from './assignment/releases';
import { CommentService } from './comment/comment.service';
import { DraftService } from './draft/draft.service';
import { MacroService } from './macro/macro.service';
import { MergeService } from './merge/merge.service';
import { PortalService } from './portal/portal.service';
import { IdentityProjection } from './projection/identity-projection';
import { TicketListService } from './ticket/ticket-list.service';
import { TicketService } from './ticket/ticket.service';
import { WatcherService } from './ticket/watcher.service';
import { TimelineService } from './timeline/timeline.service';

/** Tickets, comments, numbering and the public portal's use cases. */
export const ticketsService = defineService({
  name: 'tickets',
  controllers: [
    TicketService,
    TicketListService,
    CommentService,
    PortalService,
    DraftService,
    MacroService,
    MergeService,
    TimelineService,
    WatcherService,
  ],
  providers: () => [IdentityProjection, AutoAssignment, Releases],
});
