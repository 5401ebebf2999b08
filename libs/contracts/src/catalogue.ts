import * as analytics from './analytics';
import * as apiTokens from './api-tokens';
import * as assignment from './assignment';
import * as attachments from './attachments';
import * as audit from './audit';
import * as branding from './branding';
import * as challenge from './challenge';
import * as comments from './comments';
import type { EventType, JobType, Operation } from './define';
import * as identity from './identity';
import * as integrations from './integrations';
import * as live from './live';
import * as macros from './macros';
import * as mailIn from './mail-in';
import * as mailServer from './mail-server';
import * as notifications from './notifications';
import * as operator from './operator';
import * as organizations from './organizations';
import * as portal from './portal';
import * as privacy from './privacy';
import * as reports from './reports';
import * as articles from './articles';
import * as organizationExports from './exports';
import * as imports from './imports';
import * as customFields from './custom-fields';
import * as helpCenter from './help-center';
import * as rules from './rules';
import * as senderDomain from './sender-domain';
import * as sla from './sla';
import * as snooze from './snooze';
import * as staffNotifications from './staff-notifications';
import * as surveys from './surveys';
import * as taskTools from './task-tools';
import * as ticketPage from './ticket-page';
import * as ticketPrefix from './ticket-prefix';
import * as ticketReads from './ticket-reads';
import * as ticketTasks from './ticket-tasks';
import * as tickets from './tickets';
import * as timeline from './timeline';
import * as views from './views';
import * as webhooks from './webhooks';
import * as widget from './widget';
import * as wording from './wording';

// All modules with contracts: operations of a module that is missing here have no route, no documentation and no test.
const subjects = [
  analytics,
  apiTokens,
  assignment,
  attachments,
  audit,
  branding,
  challenge,
  comments,
  identity,
  integrations,
  live,
  macros,
  mailIn,
  mailServer,
  notifications,
  operator,
  organizations,
  portal,
  reports,
  articles,
  organizationExports,
  imports,
  privacy,
  customFields,
  helpCenter,
  rules,
  senderDomain,
  sla,
  snooze,
  staffNotifications,
  surveys,
  taskTools,
  ticketPage,
  ticketPrefix,
  ticketReads,
  ticketTasks,
  tickets,
  timeline,
  views,
  webhooks,
  widget,
  wording,
];
const exported = [...subjects, ...Object.values(operator.operationsOfServices)].flatMap((subject): unknown[] => Object.values(subject));
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** All operations: the gateway generates its routes and its API document from them. */
export const allOperations = exported.filter((value): value is Operation => isRecord(value) && 'allow' in value && 'method' in value);
/** All events. */
export const allEvents = exported.filter((value): value is EventType => isRecord(value) && 'live' in value && 'source' in value);
/** All jobs. */
export const allJobs = exported.filter((value): value is JobType => isRecord(value) && 'backoffMs' in value);
