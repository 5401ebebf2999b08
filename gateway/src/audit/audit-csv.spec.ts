import { newId } from '@tandem/db';
import type { AuditEntry } from '@tandem/contracts';
import { csvHeader, csvLine } from './audit-csv';

it('each line has as many cells as the header', () => {
  const entry: AuditEntry = {
    id: newId(),
    type: 'member.role_changed',
    category: 'team',
    severity: 'medium',
    occurred_at: '2026-11-20T10:00:00.000Z',
    actor_id: null,
    actor_email: null,
    target: '=cmd',
    ip: '203.0.113.7',
    user_agent: null,
    changes: { role: { from: 'agent', to: 'admin' } },
  };
  expect(csvHeader).toBe('occurred_at,actor_email,event,target,changes,category,severity,type,ip,user_agent,actor_id,id\r\n');
  expect(csvLine(entry)).toBe(
    `2026-11-20T10:00:00.000Z,,Changed a role,'=cmd,"{""role"":{""from"":""agent"",""to"":""admin""}}",team,medium,member.role_changed,203.0.113.7,,,${entry.id}\r\n`,
  );
});
