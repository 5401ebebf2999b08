import { newsForCustomer } from './customer-news';

const change = (...fields: string[]) => ({ changes: Object.fromEntries(fields.map((field) => [field, { from: 1, to: 2 }])) });

it.each([
  ['ticket.comment.added', { comment: { is_internal: false } }, 'tell'],
  ['ticket.comment.added', { comment: { is_internal: true } }, 'nothing'],
  ['ticket.comment.added', { comment: {} }, 'nothing'],
  ['ticket.comment.added', null, 'nothing'],
  ['ticket.updated', change('status'), 'tell'],
  ['ticket.updated', change('priority', 'status'), 'tell'],
  ['ticket.updated', change('priority', 'tags', 'assigned_to'), 'nothing'],
  ['ticket.updated', change('status', 'customer_email'), 'leave'],
  ['ticket.updated', {}, 'nothing'],
  ['ticket.resolved', {}, 'tell'],
  ['ticket.closed', {}, 'tell'],
  ['ticket.reopened', {}, 'tell'],
  ['ticket.merged', {}, 'tell'],
  ['ticket.assigned', {}, 'nothing'],
  ['ticket.escalated', {}, 'nothing'],
  ['ticket.sla.breached', {}, 'nothing'],
  ['ticket.created', {}, 'nothing'],
  ['email.failed', {}, 'nothing'],
  ['survey.submitted', {}, 'nothing'],
])('a customer who hears %s %j: %s', (type, data, news) => {
  expect(newsForCustomer(type, data)).toBe(news);
});
