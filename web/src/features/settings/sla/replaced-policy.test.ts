import type { SlaPolicy } from '@tandem/contracts';
import { replacedBy } from './replaced-policy';

const policy = (id: string, more: object = {}) => ({ id, name: id, priority_level: 'high', is_active: true, ...more }) as SlaPolicy;

it('names only the active policy of the same priority', () => {
  const before = [policy('Gold'), policy('Silver', { priority_level: 'low' }), policy('Old', { is_active: false })];
  expect(replacedBy(policy('New'), before)).toBe('“Gold” was deactivated. Only one policy per priority can be active.');
  expect(replacedBy(policy('Gold'), before)).toBeUndefined();
  expect(replacedBy(policy('New', { is_active: false }), before)).toBeUndefined();
  expect(replacedBy(policy('New', { priority_level: 'urgent' }), before)).toBeUndefined();
});
