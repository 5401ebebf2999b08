import { allOperations, finishSso, unsubscribe, type Operation } from '@tandem/contracts';
import { usesSession } from '../routes/for-operation';
import { subjectOf } from './subjects';

/** Pages rather than an API: only browsers and mail programs call them. */
const pages: readonly Operation[] = [finishSso, unsubscribe];
/** All operations that clients can call, without those of the installation's operators. */
export const documentedOperations: readonly Operation[] = allOperations.filter(
  (operation) => !operation.path.startsWith('/internal/') && operation.allow !== 'operator' && !pages.includes(operation),
);
/**
 * The public document has the operations for API tokens, portals, widgets and task tools; the other one those that only the signed-in app
 * calls.
 */
export type DocumentName = 'public' | 'app';
const ofPeople: ReadonlySet<string> = new Set(['Account', 'Team', 'Imports and exports', 'Privacy']);
const isPublic = (op: Operation): boolean => (usesSession(op) ? op.token !== null : !ofPeople.has(subjectOf(op).name));
export const operationsOf = (name: DocumentName): readonly Operation[] =>
  documentedOperations.filter((op) => isPublic(op) === (name === 'public'));
