/** The parts of the side panel that render after the page itself, in one chunk. */
export { Changes } from './Changes';
export { CustomerTickets } from './CustomerTickets';
export { Mails } from './Mails';
export { LanguageBadge, Origin } from './Origin';
export { SurveyAnswer } from './SurveyAnswer';
export { TaskSection } from './TaskSection';
export { Watchers } from './Watchers';
