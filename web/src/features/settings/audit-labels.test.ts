import type { AuditEntry } from '@tandem/contracts';
import { changeLabels } from './audit-labels';

const labels = (from: unknown, to: unknown) => changeLabels({ changes: { some_setting: { from, to } } } as unknown as AuditEntry);

it.each([
  ['a missing value', null, 'Berlin', 'none', 'Berlin'],
  ['a switch', false, true, 'off', 'on'],
  ['a number', 24, 48, '24', '48'],
  ['a list', [], ['en', 'de'], 'none', 'en, de'],
  [
    'an object',
    { default: 'en', offered: ['en'] },
    { default: 'en', offered: ['en', 'de'] },
    'default en; offered en',
    'default en; offered en, de',
  ],
])('shows changes of %s as words', (_kind, from, to, shownFrom, shownTo) => {
  expect(labels(from, to)).toEqual([{ name: 'some setting', from: shownFrom, to: shownTo }]);
});
