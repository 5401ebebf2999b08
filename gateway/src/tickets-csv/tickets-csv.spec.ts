import { CustomField, TicketSummary } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { ticketsCsv } from './tickets-csv';

const field = (key: string, label: string, over: object = {}) =>
  ({ key, label, options: [], deleted_at: null, ...over }) as unknown as CustomField;

it('has a column per custom field under its label, the labels of choices, and no formulas', () => {
  const csv = ticketsCsv([
    field('size', '=Size', { options: [{ value: 's', label: 'Small' }, { value: 'l', label: '+Large' }] }),
    field('gone', 'Gone', { deleted_at: '2026-01-01T00:00:00.000Z' }),
    field('paid', 'Paid'),
  ]); // prettier-ignore
  const ticket = TicketSummary.parse({
    id: newId(),
    ticket_number: 'TAN-000001',
    subject: '=HYPERLINK("http://x")',
    description_preview: null,
    status: 'open',
    priority: 'low',
    category: null,
    tags: ['-1', 'b'],
    customer_name: '@Carla',
    customer_email: 'carla@example.com',
    assigned_to: null,
    assignee: null,
    comment_count: 0,
    clickup_task_id: null,
    created_at: '2026-11-20T10:00:00.000Z',
    updated_at: '2026-11-20T11:00:00.000Z',
    resolved_at: null,
    version: 1,
  });
  expect(csv.header.split(',').slice(-2)).toEqual(["'=Size", 'Paid\r\n']);
  expect(csv.line({ ...ticket, channel: 'portal', custom_fields: { size: ['l', 's'], gone: 'x', paid: false } })).toBe(
    `TAN-000001,"'=HYPERLINK(""http://x"")",open,low,,'-1; b,portal,carla@example.com,'@Carla,,2026-11-20T10:00:00.000Z,2026-11-20T11:00:00.000Z,,,,,,,,'+Large; Small,false\r\n`,
  );
});
