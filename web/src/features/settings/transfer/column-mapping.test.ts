import { aCustomField } from '../../../testing/backend';
import { mappingByName, missingColumns, samplesOf, targetsOf, unusedColumns } from './column-mapping';
import { anImportFile } from './testing';

it('offers the required columns first, and custom fields that are in use for tickets', () => {
  const fields = [aCustomField({ key: 'code', label: 'Code' }), aCustomField({ key: 'gone', deleted_at: '2026-11-20T10:05:00.000Z' })];
  const tickets = targetsOf('tickets', fields);
  expect(tickets.slice(0, 2).map(({ key, isRequired }) => [key, isRequired])).toEqual([
    ['subject', true],
    ['customer_email', true],
  ]);
  expect(tickets.at(-1)).toEqual({ key: 'custom_fields.code', label: 'Code', isRequired: false });
  expect(targetsOf('customers', fields).map(({ key }) => key)).toEqual(['email', 'name']);
});

it('knows what is missing and what is not imported', () => {
  const file = anImportFile({ mapping: { subject: 'Title', customer_email: null } });
  expect(missingColumns(file)).toEqual(['Customer’s email']);
  expect(missingColumns({ kind: null, mapping: null })).toEqual([]);
  expect(unusedColumns(file)).toEqual(['Requester', 'State', 'Internal code']);
});

it('shows values that are not empty, in one line and shortened', () => {
  const file = anImportFile({ columns: ['a', 'b'], sample: [['x\n y', ''], ['z'.repeat(80)], ['']] });
  expect(samplesOf(file, 'a')).toEqual(['x y', `${'z'.repeat(59)}…`]);
  expect(samplesOf(file, 'b')).toEqual([]);
  expect(samplesOf(file, 'c')).toEqual([]);
});

it('maps columns with our names when the kind of a file changes', () => {
  expect(mappingByName('comments', { columns: ['Ticket ID', 'content', 'Author’s email'] })).toMatchObject({
    ticket_id: 'Ticket ID',
    content: 'content',
    author_email: 'Author’s email',
    created_at: null,
  });
});
