import { customerEffectOf } from './customer-events';

const change = (...fields: string[]) => ({ changes: Object.fromEntries(fields.map((field) => [field, { from: 1, to: 2 }])) });

it.each([
  ['ticket.comment.added', { comment: { is_internal: false } }, 'notify'],
  ['ticket.comment.added', { comment: { is_internal: true } }, 'ignore'],
  ['ticket.comment.added', { comment: {} }, 'ignore'],
  ['ticket.comment.added', null, 'ignore'],
  ['ticket.updated', change('status'), 'notify'],
  ['ticket.updated', change('priority', 'status'), 'notify'],
  ['ticket.updated', change('priority', 'tags', 'assigned_to'), 'ignore'],
  ['ticket.updated', change('status', 'customer_email'), 'drop'],
  ['ticket.updated', {}, 'ignore'],
  ['ticket.resolved', {}, 'notify'],
  ['ticket.closed', {}, 'notify'],
  ['ticket.reopened', {}, 'notify'],
  ['ticket.merged', {}, 'notify'],
  ['ticket.assigned', {}, 'ignore'],
  ['ticket.escalated', {}, 'ignore'],
  ['ticket.read', {}, 'ignore'],
  ['ticket.snoozed', {}, 'ignore'],
  ['ticket.woken', {}, 'ignore'],
  ['ticket.sla.breached', {}, 'ignore'],
  ['ticket.created', {}, 'ignore'],
  ['email.failed', {}, 'ignore'],
  ['survey.submitted', {}, 'ignore'],
])('the action for %s %j on the page of the customer is %s', (type, data, effect) => {
  expect(customerEffectOf(type, data)).toBe(effect);
});
