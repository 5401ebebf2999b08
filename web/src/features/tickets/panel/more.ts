/** The parts of the side panel that are drawn after the page itself: one file for the browser. */
export { Changes } from './Changes';
export { CustomerTickets } from './CustomerTickets';
export { Mails } from './Mails';
export { Origin } from './Origin';
export { SurveyAnswer } from './SurveyAnswer';
export { TaskSection } from './TaskSection';
export { Watchers } from './Watchers';
