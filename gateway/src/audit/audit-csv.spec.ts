import { newId } from '@tandem/db';
import type { AuditEntry } from '@tandem/contracts';
import { csvCell, csvHeader, csvLine } from './audit-csv';

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['müller@example.com', 'müller@example.com'],
  ])('of %j is quoted where RFC 4180 requires it: %s', (value, cell) => expect(csvCell(value)).toBe(cell));

  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ])('that begins as a formula stays text: %j', (value, cell) => expect(csvCell(value)).toBe(cell));

  it('is unchanged if such a character is not the first one', () => expect(csvCell('a=b')).toBe('a=b'));
});

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
