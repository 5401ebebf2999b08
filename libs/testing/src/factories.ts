import { Comment, Organization, Ticket } from '@tandem/contracts';
import { newId } from '@tandem/db';

const at = '2026-11-20T10:00:00.000Z';

/** A ticket as in an event's data; fields without an override have a new ticket's values. */
export const ticketOf = (organization_id: string, overrides: Partial<Ticket> = {}): Ticket => ({
  ...Ticket.parse({
    id: newId(),
    organization_id,
    ticket_number: 'ACM-0001',
    subject: 'The printer is on fire',
    description: null,
    status: 'open',
    priority: 'medium',
    category: null,
    tags: [],
    customer_name: null,
    customer_email: 'carla@example.com',
    assigned_to: null,
    assignee: null,
    comment_count: 0,
    clickup_task_id: null,
    created_at: at,
    updated_at: at,
    resolved_at: null,
    version: 1,
  }),
  ...overrides,
});

/** A public reply by staff as in an event's data; fields without an override have a new comment's values. */
export const commentOf = (ticket_id: string, overrides: Partial<Comment> = {}): Comment => ({
  ...Comment.parse({
    id: newId(),
    ticket_id,
    content: 'A new one is on its way.',
    is_internal: false,
    is_from_customer: false,
    user_id: newId(),
    customer_email: null,
    author: null,
    attachments: [],
    created_at: at,
  }),
  ...overrides,
});

/** An organization as in an event's data. */
export const organizationOf = (id: string, overrides: Partial<Organization> = {}): Organization => ({
  ...Organization.parse({
    id,
    name: 'Acme',
    slug: 'acme',
    subdomain: 'acme',
    ticket_prefix: 'ACM',
    trial_ends_at: '2030-01-01T00:00:00.000Z',
    created_at: at,
  }),
  ...overrides,
});
