import {
  AddComment,
  addComment,
  AppError,
  ChangesWithComment,
  createTicket,
  CreateTicket,
  draftReply,
  LinkTask,
  linkTicketTask,
  readTicketTask,
  updateTicket,
  UpdateTicket,
  type OutputOf,
  type Ticket,
} from '@tandem/contracts';
import * as z from 'zod';
import { findMember, memberReference } from './members';
import { findTicket, nameOf, rowText, ticketReference, ticketRow } from './texts';
import { idempotencyKey, tool, type Tool, type ToolContext, type ToolResult } from './tool';

const onTicket = { ticket: ticketReference };
const content = AddComment.shape.content.describe('Plain text, as the reader will see it');

const changedTicket = (done: string, ticket: Ticket, context: ToolContext): ToolResult => {
  const row = ticketRow(ticket, context);
  return { text: `${done}\n${rowText(row)}`, data: { ticket: row } };
};

/** No addresses in Cc: a text that the assistant has read must not be able to send copies of replies to other people. */
const newTicket = CreateTicket.omit({ attachment_ids: true, cc: true });

const createOne = tool({
  name: 'create_ticket',
  title: 'Create a ticket',
  description: 'Create a ticket for a customer, who gets the usual confirmation by email. Search for an existing ticket first.',
  permissions: ['tickets:write'],
  input: newTicket.extend({ idempotency_key: idempotencyKey }),
  effect: 'destructive',
  reachesOthers: true,
  async run(context, { idempotency_key, ...body }) {
    const ticket = await context.call(createTicket, { body }, idempotency_key);
    return changedTicket(`Created ${ticket.ticket_number}`, ticket, context);
  },
});

const draftOne = tool({
  name: 'draft_reply',
  title: 'Draft a reply',
  description:
    'The way to answer a customer: save a reply as the draft of the agent, who reads it, corrects it and sends it. Goes to the assignee of the ticket unless an agent is named. Refused while that agent is writing something else; a draft of yours that the agent has not changed is replaced.',
  permissions: ['tickets:read', 'tickets:write'],
  input: z.strictObject({
    ...onTicket,
    content,
    agent: memberReference.describe('The name, email address or id of a member; default: the assignee').optional(),
    idempotency_key: idempotencyKey,
  }),
  effect: 'write',
  isIdempotent: true,
  async run(context, { ticket: reference, content: text, agent, idempotency_key }) {
    const ticket = await findTicket(context, reference);
    const member = agent === undefined ? ticket.assignee : await findMember(context, agent, 'agent');
    if (member === null) {
      const message = 'The ticket is not assigned: name the agent who gets the draft';
      throw new AppError('request.invalid', { fields: [{ path: 'agent', code: 'required', message }] });
    }
    const params = { id: ticket.id, userId: member.user_id };
    const { updated_at } = await context.call(draftReply, { params, body: { content: text } }, idempotency_key);
    return {
      text: `Saved as a draft of the agent on ${ticket.ticket_number}. Nothing was sent: the agent sends it.`,
      data: { ticket: ticketRow(ticket, context), agent_id: member.user_id, saved_at: updated_at },
    };
  },
});

const sendOne = tool({
  name: 'send_reply',
  title: 'Send a reply',
  description:
    'Send a reply to the customer immediately. It cannot be undone. Use draft_reply unless the person you work for asked you to send it.',
  permissions: ['tickets:read', 'tickets:write', 'tickets:send'],
  input: z.strictObject({
    ...onTicket,
    content,
    status: ChangesWithComment.shape.status.describe('A new status, set together with the reply'),
    last_seen_comment_id: AddComment.shape.last_seen_comment_id.describe(
      'The id of the last comment that you read; then a reply that crosses a newer comment is refused',
    ),
    idempotency_key: idempotencyKey,
  }),
  effect: 'destructive',
  reachesOthers: true,
  async run(context, { ticket: reference, status, idempotency_key, ...body }) {
    const { id, ticket_number } = await findTicket(context, reference);
    const changes = status === undefined ? {} : { status };
    const comment = await context.call(addComment, { params: { id }, body: { ...body, changes } }, idempotency_key);
    return { text: `Sent the reply on ${ticket_number}`, data: { ticket_number, comment_id: comment.id } };
  },
});

const addNote = tool({
  name: 'add_note',
  title: 'Add an internal note',
  description: 'Add an internal note to a ticket. Only the team can read it; the customer never sees it.',
  permissions: ['tickets:read', 'tickets:write'],
  input: z.strictObject({ ...onTicket, content, idempotency_key: idempotencyKey }),
  effect: 'write',
  async run(context, { ticket: reference, content: text, idempotency_key }) {
    const { id, ticket_number } = await findTicket(context, reference);
    const body = { content: text, is_internal: true };
    const comment = await context.call(addComment, { params: { id }, body }, idempotency_key);
    return { text: `Added a note to ${ticket_number}`, data: { ticket_number, comment_id: comment.id } };
  },
});

/** Neither the customer's address nor Cc: a text in a ticket must not be able to redirect or copy the replies to other people. */
const { status, priority, subject, description, category, tags, customer_name, external_id } = UpdateTicket.shape;
const fields = { status, priority, subject, description, category, tags, customer_name, external_id };

const setFields = tool({
  name: 'set_ticket_fields',
  title: 'Change a ticket',
  description:
    'Change fields of a ticket. Tags replace all tags of the ticket. The customer gets the usual email when a ticket is resolved or closed.',
  permissions: ['tickets:read', 'tickets:write'],
  input: z
    .strictObject({ ...onTicket, ...fields, idempotency_key: idempotencyKey })
    .refine((input) => Object.keys(fields).some((name) => name in input), 'Nothing to change'),
  effect: 'destructive',
  isIdempotent: true,
  reachesOthers: true,
  async run(context, { ticket: reference, idempotency_key, ...body }) {
    const { id } = await findTicket(context, reference);
    const ticket = await context.call(updateTicket, { params: { id }, body }, idempotency_key);
    return changedTicket(`Changed ${ticket.ticket_number}`, ticket, context);
  },
});

const assign = tool({
  name: 'assign_ticket',
  title: 'Assign a ticket',
  description: 'Assign a ticket to a member of the team, or unassign it.',
  permissions: ['tickets:read', 'tickets:write'],
  input: z.strictObject({
    ...onTicket,
    assignee: memberReference.describe('The name, email address or id of a member, or unassigned'),
    idempotency_key: idempotencyKey,
  }),
  effect: 'write',
  isIdempotent: true,
  async run(context, { ticket: reference, assignee, idempotency_key }) {
    const { id } = await findTicket(context, reference);
    const assigned_to = assignee === 'unassigned' ? null : (await findMember(context, assignee, 'assignee')).user_id;
    const ticket = await context.call(updateTicket, { params: { id }, body: { assigned_to } }, idempotency_key);
    const { ticket_number: number, assignee: assigned } = ticket;
    const done = assigned === null ? `Unassigned ${number}` : `Assigned ${number} to ${context.untrusted(nameOf(assigned))}`;
    return changedTicket(done, ticket, context);
  },
});

type TaskLists = OutputOf<typeof readTicketTask>['integrations'];

/** The connected list with this id or name, or the only one. */
function listFor(lists: TaskLists, reference: string | undefined, { untrusted }: ToolContext): TaskLists[number] {
  if (lists.length === 0) throw new AppError('integration.not_found', { detail: 'No list of a task tool is connected.' });
  const wanted = reference?.toLowerCase();
  const found = wanted === undefined ? lists : lists.filter(({ id, list_name }) => id === wanted || list_name.toLowerCase() === wanted);
  if (found.length === 1) return found[0]!;
  const message = `Name one of these lists: ${lists.map(({ id, list_name }) => `${id} ${untrusted(list_name)}`).join('; ')}`;
  throw new AppError('request.invalid', { fields: [{ path: 'list', code: 'invalid', message }] });
}

const { task, winner } = LinkTask.shape;

const linkOne = tool({
  name: 'link_task',
  title: 'Link a task',
  description: 'Link a ticket to an existing task in the task tool, or create a task for it. From then on both are synced.',
  permissions: ['tickets:read', 'tickets:write'],
  input: z.strictObject({
    ...onTicket,
    task: task.describe('The URL or id of an existing task; without it, a task is created'),
    list: z.string().trim().min(1).max(200).describe('The name or id of the connected list, if there are several').optional(),
    winner: winner.describe('The side whose values win where they differ; default: both keep theirs until one changes'),
    idempotency_key: idempotencyKey,
  }),
  effect: 'write',
  reachesOthers: true,
  async run(context, { ticket: reference, list, idempotency_key, ...body }) {
    const { id, ticket_number } = await findTicket(context, reference);
    const { integrations } = await context.call(readTicketTask, { params: { id } });
    const { id: integration_id } = listFor(integrations, list, context);
    const linked = await context.call(linkTicketTask, { params: { id }, body: { ...body, integration_id } }, idempotency_key);
    const { state, provider, task_id, url, title, is_pending } = linked;
    const list_name = context.untrusted(linked.list_name);
    return {
      text: `${task_id === null ? 'A task is being created' : `Linked the task ${task_id}`} in ${list_name} for ${ticket_number}`,
      data: { ticket_number, task: { state, provider, list_name, task_id, url, title: title && context.untrusted(title), is_pending } },
    };
  },
});

export const writeTools: readonly Tool[] = [createOne, draftOne, sendOne, addNote, setFields, assign, linkOne];
