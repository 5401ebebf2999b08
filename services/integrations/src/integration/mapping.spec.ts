import type { ExternalField, ExternalStatus, FieldMappings, StatusCategory } from '@tandem/contracts';
import { checkStatuses, proposeEmailField, proposeStatuses, unmappedStatuses, withEmailField } from './mapping';

const list = (...statuses: [name: string, category: StatusCategory][]): ExternalStatus[] =>
  statuses.map(([name, category], i) => ({ id: `s${i}`, name, category, color: null }));
const proposed = (...statuses: [string, StatusCategory][]) => Object.values(proposeStatuses(list(...statuses), 'named'));

describe('statuses are proposed', () => {
  it('by the default names, ignoring case', () => {
    const statuses: [string, StatusCategory][] = [
      ['backlog', 'open'],
      ['TO DO', 'open'],
      ['doing', 'active'],
      ['in progress', 'active'],
      ['review', 'active'],
      ['shipped', 'done'],
      ['complete', 'done'],
      ['closed', 'closed'],
    ];
    expect(proposed(...statuses)).toEqual(['TO DO', 'in progress', 'review', 'complete', 'closed']);
  });

  it.each<[string, [string, StatusCategory][], (string | null)[]]>([
    [
      'the first of each type',
      [
        ['New', 'open'],
        ['Doing', 'active'],
        ['Done', 'done'],
        ['Archive', 'closed'],
      ],
      ['New', 'Doing', null, 'Done', 'Archive'],
    ],
    [
      'closed for resolved without a done status',
      [
        ['Open', 'open'],
        ['Doing', 'active'],
        ['Closed', 'closed'],
      ],
      ['Open', 'Doing', null, 'Closed', 'Closed'],
    ],
    [
      'done for closed without a closed status',
      [
        ['Open', 'open'],
        ['Doing', 'active'],
        ['Done', 'done'],
      ],
      ['Open', 'Doing', null, 'Done', 'Done'],
    ],
    [
      'a waiting status by its name, and not for work',
      [
        ['New', 'open'],
        ['Pending QA', 'active'],
        ['Doing', 'active'],
        ['Done', 'done'],
      ],
      ['New', 'Doing', 'Pending QA', 'Done', 'Done'],
    ],
    [
      'a waiting status for work if there is no other',
      [
        ['New', 'open'],
        ['Waiting for client', 'active'],
        ['Done', 'done'],
      ],
      ['New', 'Waiting for client', 'Waiting for client', 'Done', 'Done'],
    ],
    [
      'nothing without a match',
      [
        ['Open', 'open'],
        ['Closed', 'closed'],
      ],
      ['Open', null, null, 'Closed', 'Closed'],
    ],
    ['nothing for a list without statuses', [], [null, null, null, null, null]],
  ])('by type: %s', (_case, statuses, expected) => expect(proposed(...statuses)).toEqual(expected));

  it('as open if tasks are only open or closed', () => {
    const statuses = list(['open', 'open'], ['closed', 'closed']);
    expect(Object.values(proposeStatuses(statuses, 'open_closed'))).toEqual(['open', 'open', 'open', 'closed', 'closed']);
  });
});

describe('the field for the customer’s address', () => {
  const field = (id: string, name: string, type = 'email'): ExternalField => ({ id, name, type });
  it.each<[string, ExternalField[], string | null]>([
    ['is found by its name, ignoring case', [field('a', 'Billing'), field('b', ' customer EMAIL ')], 'b'],
    ['is the only field', [field('a', 'Contact'), field('b', 'Customer Email', 'short_text')], 'a'],
    ['is undefined with several candidates', [field('a', 'Contact'), field('b', 'Billing')], null],
    ['is undefined without a suitable field', [field('a', 'Customer Email', 'text')], null],
  ])('%s', (_case, fields, expected) => expect(proposeEmailField(fields)).toBe(expected));

  it('is only proposed if none was chosen', () => {
    expect(withEmailField({}, 'f1')).toEqual({ customer_email: { direction: 'to_task', field_id: 'f1' } });
    expect(withEmailField({}, null)).toEqual({});
    const off: FieldMappings = { customer_email: { direction: 'off', field_id: null } };
    expect(withEmailField(off, 'f1')).toBe(off);
  });
});

describe('chosen statuses', () => {
  const statuses = list(['To Do', 'open'], ['Doing', 'active'], ['Done', 'done']);
  const none = { open: null, in_progress: null, waiting_for_customer: null, resolved: null, closed: null };

  it('get the spelling of the list', () => {
    expect(checkStatuses({ ...none, open: ' to do', resolved: 'DONE' }, statuses)).toEqual({
      mappings: { ...none, open: 'To Do', resolved: 'Done' },
      problems: [],
    });
  });

  it('that the list does not have are errors of their fields', () => {
    const { problems } = checkStatuses({ ...none, open: 'Nope', closed: 'Gone' }, statuses);
    expect(problems.map(({ path }) => path)).toEqual(['status_mappings.open', 'status_mappings.closed']);
    expect(problems[0]!.message).toBe('The list has no status “Nope”');
  });

  it('are reported as missing if none was chosen or the list changed, as long as statuses are sent', () => {
    const mappings = { ...none, open: 'To Do', in_progress: 'Doing', resolved: 'Renamed since' };
    expect(unmappedStatuses(mappings, {}, statuses)).toEqual(['waiting_for_customer', 'resolved', 'closed']);
    expect(unmappedStatuses(mappings, { status: { direction: 'to_ticket' } }, statuses)).toEqual([]);
  });
});
