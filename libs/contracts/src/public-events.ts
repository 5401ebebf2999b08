import { articlePublished, articleUnpublished } from './articles';
import { ticketCommentAdded } from './comments';
import type { EventType } from './define';
import { ticketRuleRan } from './rules';
import { ticketEscalated, ticketSlaBreached, ticketSlaWarning } from './sla';
import { surveySubmitted } from './surveys';
import { ticketAssigned, ticketClosed, ticketCreated, ticketMerged, ticketReopened, ticketResolved, ticketUpdated } from './tickets';

/**
 * Events that customers may subscribe to: those that are `public`. A list, because filtering all events would load the contracts of all
 * services into the one that sends webhooks.
 */
export const publicEvents: readonly EventType[] = [
  ticketCommentAdded,
  articlePublished,
  articleUnpublished,
  ticketRuleRan,
  ticketEscalated,
  ticketSlaBreached,
  ticketSlaWarning,
  surveySubmitted,
  ticketAssigned,
  ticketClosed,
  ticketCreated,
  ticketMerged,
  ticketReopened,
  ticketResolved,
  ticketUpdated,
];
