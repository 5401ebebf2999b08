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
] as const)('a member %j with the change %j stops being an active admin: %j', (before, changes, lost) =>
  expect(losesAnAdmin(before, changes)).toBe(lost),
);
