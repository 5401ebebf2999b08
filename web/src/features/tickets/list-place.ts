/** The list and its views: one file for the browser, which a ticket's own address does not load. */
export { TicketList } from './TicketList';
export { ViewMenu, ViewRail } from './ViewRail';
