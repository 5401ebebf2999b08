import type { ExportedTicket } from '@tandem/contracts';
import { analyticsCsv } from './analytics-csv';

const ticket: ExportedTicket = {
  organization_id: '0192f0c1-0000-7000-8000-000000000001',
  ticket_id: '0192f0c1-2d3e-7abc-8def-0123456789ab',
  ticket_number: 'ACM-0001',
  created_at: '2026-11-20T10:00:00.000Z',
  status: 'resolved',
  priority: 'high',
  category: '=cmd|" /C calc"!A1',
  tags: ['a,b', 'say "hi"', 'שלום', 'two\nlines'],
  channel: null,
  assignee: '@Grace',
  first_response_at: null,
  first_response_time_hours: null,
  resolved_at: '2026-11-20T12:30:00.000Z',
  resolution_time_hours: 2.5,
  customer_satisfaction_rating: 5,
  sla_breached: false,
  escalated: true,
  reopen_count: 0,
  public_reply_count: 1,
};

it('has a cell for each name of the header, and no cell that a spreadsheet evaluates as a formula', () => {
  expect(analyticsCsv.header).toBe(
    'ticket_number,created_at,status,priority,category,tags,channel,assignee,first_response_at,first_response_time_hours,resolved_at,' +
      'resolution_time_hours,customer_satisfaction_rating,sla_breached,escalated,reopen_count,public_reply_count,ticket_id\r\n',
  );
  expect(analyticsCsv.line(ticket)).toBe(
    'ACM-0001,2026-11-20T10:00:00.000Z,resolved,high,"\'=cmd|"" /C calc""!A1","[""a,b"",""say \\""hi\\"""",""שלום"",""two\\nlines""]",,' +
      `'@Grace,,,2026-11-20T12:30:00.000Z,2.5,5,false,true,0,1,${ticket.ticket_id}\r\n`,
  );
});
