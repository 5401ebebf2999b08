import { ticketLimits } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { ticketOf } from '@tandem/testing';
import { validateChanges, noteOf, type TicketContext, type TaskChanges } from './task';

const ticket = ticketOf(newId(), { subject: 'Printer', description: 'It burns', tags: ['a', 'b'], assigned_to: newId() });
const unassignedContext: TicketContext = { assignee: { email: 'Ada@acme.test' }, member: undefined, merged_into: null };
const result = (changes: TaskChanges, context: Partial<TicketContext> = {}, of = ticket) =>
  validateChanges(of, changes, { ...unassignedContext, ...context });

describe('a change to the task', () => {
  it('is accepted field by field if the ticket still has the value that it started from', () =>
    expect(
      result({
        subject: { from: 'Printer', to: '  Printer on fire ' },
        priority: { from: 'medium', to: 'high' },
        status: { from: 'in_progress', to: 'resolved' },
        description: { from: 'It burned', to: 'Nothing burns' },
      }),
    ).toEqual({
      patch: { subject: 'Printer on fire', priority: 'high' },
      refused: { status: 'The ticket was changed in the meantime.', description: 'The ticket was changed in the meantime.' },
    }));
  it('is ignored if the ticket already has the new value', () =>
    expect(
      result({
        subject: { from: 'Old', to: 'Printer' },
        tags: { from: [], to: ['b', 'a', 'a'] },
        assignee_email: { from: null, to: 'ADA@acme.test' },
      }),
    ).toEqual({ patch: {}, refused: {} }));
  it('compares tags as sets, keeps the order of the remaining ones, and has no duplicates', () => {
    expect(result({ tags: { from: ['b', 'a', 'b'], to: ['c', 'b', 'c'] } })).toEqual({ patch: { tags: ['b', 'c'] }, refused: {} });
    expect(result({ tags: { from: ['A', 'B'], to: [] } }).refused).toEqual({ tags: 'The ticket was changed in the meantime.' });
    expect(result({ tags: { from: ['a', 'b'], to: [] } }).patch).toEqual({ tags: [] });
  });
  it('finds the assignee by email address, ignoring case, and reports an unknown one', () => {
    const member = { user_id: newId() };
    expect(result({ assignee_email: { from: 'ada@ACME.test', to: 'bob@acme.test' } }, { member }).patch).toEqual({
      assigned_to: member.user_id,
    });
    expect(result({ assignee_email: { from: 'ada@acme.test', to: 'stranger@acme.test' } }).refused).toEqual({
      assignee_email: 'No active member has this address.',
    });
    expect(result({ assignee_email: { from: 'ada@acme.test', to: null } }).patch).toEqual({ assigned_to: null });
    expect(result({ assignee_email: { from: null, to: 'bob@acme.test' } }, { member }).refused).toHaveProperty('assignee_email');
    expect(result({ assignee_email: { from: null, to: null } }, { assignee: undefined }).refused).toHaveProperty('assignee_email');
  });
  it('does not change the status of a merged ticket', () =>
    expect(result({ status: { from: 'open', to: 'in_progress' } }, { merged_into: 'ACM-0007' })).toEqual({
      patch: {},
      refused: { status: 'The ticket was merged into ACM-0007.' },
    }));
  it.each<[string, TaskChanges, Record<string, string>]>([
    ['a blank subject', { subject: { from: 'Printer', to: ' \n ' } }, { subject: 'A ticket needs a subject.' }],
    [
      'a subject that is too long',
      { subject: { from: 'Printer', to: 'x'.repeat(256) } },
      { subject: 'Must be at most 255 characters long.' },
    ],
    ['a NUL', { description: { from: 'It burns', to: 'a\u0000b' } }, { description: 'Contains characters that cannot be stored.' }],
    ['an unpaired surrogate', { subject: { from: 'Printer', to: 'a\ud800' } }, { subject: 'Contains characters that cannot be stored.' }],
    ['a blank tag', { tags: { from: ['a', 'b'], to: [' '] } }, { tags: 'A tag must not be blank.' }],
    [
      'too many tags',
      { tags: { from: ['a', 'b'], to: Array.from({ length: 21 }, (_, n) => `t${n}`) } },
      { tags: 'A ticket has at most 20 tags.' },
    ],
  ])('refuses %s with a reason', (_, changes, refused) =>
    expect(result({ ...changes, priority: { from: 'medium', to: 'low' } })).toEqual({ patch: { priority: 'low' }, refused }),
  );
});

describe('a comment of the task', () => {
  const comment = {
    ticket_id: ticket.id,
    tool_name: 'ClickUp',
    external_id: '1',
    author_name: 'Bea',
    content: 'Done',
    written_at: ticket.created_at,
  };
  it('is a note of its author', () =>
    expect(noteOf({ ...comment, content: ' Done\n' })).toEqual({ content: 'Done', tool_author: { name: 'Bea', tool_name: 'ClickUp' } }));
  it('is shortened between characters if it is too long, with a note that it continues', () => {
    const { content } = noteOf({ ...comment, content: '😀'.repeat(ticketLimits.comment) });
    expect(content.length).toBeLessThanOrEqual(ticketLimits.comment);
    expect(content.isWellFormed()).toBe(true);
    expect(content).toMatch(/The comment is longer. Read the rest in ClickUp.\)$/);
  });
  it.each([
    ['', '(A comment without text)'],
    [' \u0000 ', '(A comment without text)'],
    ['a\u0000\ud800b', 'a\ufffdb'],
  ])('with %j becomes %j', (content, note) => expect(noteOf({ ...comment, content }).content).toBe(note));
  it('has an author on one line, even if the name contains line breaks', () => {
    expect(noteOf({ ...comment, author_name: ' Bea\r\n\u0000B ' }).tool_author.name).toBe('Bea B');
    expect(noteOf({ ...comment, author_name: '' }).tool_author.name).toBe('Unknown author');
    expect(noteOf({ ...comment, author_name: 'x'.repeat(5_000) }).tool_author.name).toHaveLength(200);
  });
});
