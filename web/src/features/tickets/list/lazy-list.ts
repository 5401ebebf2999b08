/** The list and its views in one chunk, which a ticket's own URL does not load. */
export { TicketList } from './TicketList';
export { TicketSearch } from './TicketSearch';
export { ViewMenu, ViewRail } from './ViewRail';
