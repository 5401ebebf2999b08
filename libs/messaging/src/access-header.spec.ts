import { randomUUID } from 'node:crypto';
import type { Context } from '@tandem/contracts';
import { accessChangesIn, accessHeaders, addAccessChange } from './access-header';

const aContext = (): Context => ({ organization_id: null, actor: { type: 'system' }, request_id: 'test' });

describe('the header that carries changes of access', () => {
  it('names the person and the version of each change of that request, and of no other', () => {
    const ctx = aContext();
    const changes = [2, 7].map((access_version) => ({ user_id: randomUUID(), access_version }));
    for (const change of changes) addAccessChange(ctx, change);
    expect(accessChangesIn(accessHeaders(ctx))).toEqual(changes);
    expect(accessHeaders(aContext())).toEqual({});
    expect(accessChangesIn({})).toEqual([]);
  });

  it('stays below 8 KB however many people are concerned', () => {
    const ctx = aContext();
    for (let i = 0; i < 5_000; i++) addAccessChange(ctx, { user_id: randomUUID(), access_version: 1_000_000 });
    const header = Object.values(accessHeaders(ctx))[0]!;
    expect(header.length).toBeLessThan(8_192);
    expect(accessChangesIn(accessHeaders(ctx))).toHaveLength(150);
  });
});
