import type { Context } from '@tandem/contracts';
import { assertAllowed } from '../src/authorize';

const customer = (organization_id: string | null): Context => ({ organization_id, actor: { type: 'customer' }, request_id: 'test' });

it.each(['portal', 'widget'] as const)('lets anybody call a %s operation, but only of an organization', (allow) => {
  expect(() => assertAllowed(allow, customer('0192f0c1-0000-7000-8000-000000000001'))).not.toThrow();
  expect(() => assertAllowed(allow, customer(null))).toThrow(expect.objectContaining({ code: 'organization.not_found' }));
});
