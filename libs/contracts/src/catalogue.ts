import * as analytics from './analytics';
import * as audit from './audit';
import type { EventType, JobType, Operation } from './define';
import * as identity from './identity';
import * as integrations from './integrations';
import * as notifications from './notifications';
import * as organizations from './organizations';
import * as tickets from './tickets';

const exported = [analytics, audit, identity, integrations, notifications, organizations, tickets].flatMap((subject): unknown[] =>
  Object.values(subject),
);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Every operation there is: the gateway makes its routes and its API document from these. */
export const allOperations = exported.filter((value): value is Operation => isRecord(value) && 'allow' in value && 'method' in value);
/** Every event there is. */
export const allEvents = exported.filter((value): value is EventType => isRecord(value) && 'live' in value && 'source' in value);
/** Every job there is. */
export const allJobs = exported.filter((value): value is JobType => isRecord(value) && 'backoffMs' in value);
/** What customers may subscribe to. */
export const publicEvents = allEvents.filter((event) => event.public);
