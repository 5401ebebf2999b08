import { losesAnAdmin } from './member';

const admin = { role: 'admin', is_active: true } as const;

it.each([
  [admin, { role: 'agent' }, true],
  [admin, { is_active: false }, true],
  [admin, { role: 'manager', is_active: false }, true],
  [admin, { role: 'admin' }, false],
  [admin, {}, false],
  [{ role: 'admin', is_active: false }, { role: 'agent' }, false],
  [{ role: 'agent', is_active: true }, { is_active: false }, false],
  [{ role: 'agent', is_active: true }, { role: 'admin' }, false],
] as const)('an active admin is lost only when one stops being it: %j, %j: %j', (before, changes, lost) =>
  expect(losesAnAdmin(before, changes)).toBe(lost),
);
