import {
  ticketLimits,
  UpdateTicket,
  type Assignee,
  type Comment,
  type DataOf,
  type taskChangeProposed,
  type taskCommentReceived,
  type Ticket,
} from '@tandem/contracts';
import { stripControls } from '@tandem/contracts/values';

/** Changes to a task, limited to the fields that tickets have. */
export type TaskChanges = DataOf<typeof taskChangeProposed>['changes'];
type Change<T> = { from: T; to: T } | undefined;

/** The accepted part of a change, and the reasons for refusing the rest; a field that already has the new value is in neither. */
export interface ChangeResult {
  patch: UpdateTicket;
  refused: Record<string, string>;
}

/** Data about the ticket from other rows. */
export interface TicketContext {
  /** Null if the ticket is unassigned, undefined if its assignee is unknown here. */
  assignee: Pick<Assignee, 'email'> | null | undefined;
  /** The active member whose address the change names; undefined if there is none. */
  member: Pick<Assignee, 'user_id'> | undefined;
  /** Number of the ticket into which it was merged. */
  merged_into: string | null;
}

const changedSince = 'The ticket was changed in the meantime.';
type Plain = 'status' | 'priority' | 'subject' | 'description';
const plainFields: readonly Plain[] = ['status', 'priority', 'subject', 'description'];

/** Three-way comparison per field: a value is accepted only if the ticket still has the value that the change started from. */
export function validateChanges(ticket: Omit<Ticket, 'assignee'>, changes: TaskChanges, context: TicketContext): ChangeResult {
  const result: ChangeResult = { patch: {}, refused: {} };
  for (const field of plainFields) validatePlain(result, ticket, field, changes[field]);
  validateTags(result, ticket, changes.tags);
  validateAssignee(result, ticket, changes.assignee_email, context);
  if (result.patch.status !== undefined && context.merged_into !== null) {
    delete result.patch.status;
    result.refused.status = `The ticket was merged into ${context.merged_into}.`;
  }
  return result;
}

function validatePlain(
  { patch, refused }: ChangeResult,
  ticket: Omit<Ticket, 'assignee'>,
  field: Plain,
  change: Change<string | null>,
): void {
  if (!change || change.to === ticket[field]) return;
  if (change.from !== ticket[field]) {
    refused[field] = changedSince;
    return;
  }
  const taken = accepted({ [field]: change.to });
  if ('reason' in taken) refused[field] = field === 'subject' && !change.to?.trim() ? 'A ticket needs a subject.' : taken.reason;
  else if (taken.patch[field] !== ticket[field]) Object.assign(patch, taken.patch);
}

const isSameSet = (a: readonly string[], b: readonly string[]): boolean => {
  const [one, other] = [new Set(a), new Set(b)];
  return one.size === other.size && [...one].every((item) => other.has(item));
};

/** Remaining tags keep their order. */
function validateTags({ patch, refused }: ChangeResult, ticket: Pick<Ticket, 'tags'>, change: TaskChanges['tags']): void {
  if (!change || isSameSet(change.to, ticket.tags)) return;
  if (!isSameSet(change.from, ticket.tags)) {
    refused.tags = changedSince;
    return;
  }
  if (new Set(change.to).size > ticketLimits.tags) {
    refused.tags = `A ticket has at most ${ticketLimits.tags} tags.`;
    return;
  }
  const kept = ticket.tags.filter((tag) => change.to.includes(tag));
  const taken = accepted({ tags: [...new Set([...kept, ...change.to])] });
  if ('reason' in taken) refused.tags = taken.reason;
  else if (!isSameSet(taken.patch.tags ?? [], ticket.tags)) patch.tags = [...new Set(taken.patch.tags)];
}

const addressOf = (email: string | null): string | null => (email === null ? null : email.trim().toLowerCase());

function validateAssignee(
  { patch, refused }: ChangeResult,
  ticket: Pick<Ticket, 'assigned_to'>,
  change: TaskChanges['assignee_email'],
  { assignee, member }: TicketContext,
): void {
  if (!change) return;
  const [from, to] = [addressOf(change.from), addressOf(change.to)];
  const present = assignee ? addressOf(assignee.email) : assignee;
  if (to === present) return;
  if (from !== present) refused.assignee_email = changedSince;
  else if (to === null) patch.assigned_to = null;
  else if (!member) refused.assignee_email = 'No active member has this address.';
  else if (member.user_id !== ticket.assigned_to) patch.assigned_to = member.user_id;
}

/** Validates and trims values with the rules for changes by staff. */
function accepted(patch: object): { patch: UpdateTicket } | { reason: string } {
  const parsed = UpdateTicket.safeParse(patch);
  if (parsed.success) return { patch: parsed.data };
  return { reason: `${parsed.error.issues[0]?.message ?? 'The value is not valid for a ticket'}.` };
}

const oneLine = (text: string, fallback: string): string => stripControls(text).replace(/\s+/g, ' ').trim().slice(0, ticketLimits.name).toWellFormed() || fallback; // prettier-ignore

export interface Note {
  content: string;
  tool_author: NonNullable<Comment['tool_author']>;
}

/** Converts a task comment to an internal note. Truncates text that is too long and appends a line that says so. */
export function noteOf({ content, author_name, tool_name }: DataOf<typeof taskCommentReceived>): Note {
  const tool_author = { name: oneLine(author_name, 'Unknown author'), tool_name: oneLine(tool_name, 'the task tool') };
  const text = stripControls(content).trim();
  if (text === '') return { content: '(A comment without text)', tool_author };
  if (text.length <= ticketLimits.comment) return { content: text, tool_author };
  const rest = `\n\n(The comment is longer. Read the rest in ${tool_author.tool_name}.)`;
  return { content: `${text.slice(0, ticketLimits.comment - rest.length).toWellFormed()}${rest}`, tool_author };
}
