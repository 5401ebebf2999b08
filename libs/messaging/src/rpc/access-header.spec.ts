import { randomUUID } from 'node:crypto';
import type { Context } from '@tandem/contracts';
import { accessChangesIn, accessHeaders, addAccessChange } from './access-header';

const aContext = (): Context => ({ organization_id: null, actor: { type: 'system' }, request_id: 'test' });

describe('the header with access changes', () => {
  it('contains the user and version of each change in its own request only', () => {
    const ctx = aContext();
    const changes = [2, 7].map((access_version) => ({ user_id: randomUUID(), access_version }));
    for (const change of changes) addAccessChange(ctx, change);
    expect(accessChangesIn(accessHeaders(ctx))).toEqual(changes);
    expect(accessHeaders(aContext())).toEqual({});
    expect(accessChangesIn({})).toEqual([]);
  });

  it('stays below 8 KB for any number of changes', () => {
    const ctx = aContext();
    for (let i = 0; i < 5_000; i++) addAccessChange(ctx, { user_id: randomUUID(), access_version: 1_000_000 });
    const header = Object.values(accessHeaders(ctx))[0]!;
    expect(header.length).toBeLessThan(8_192);
    expect(accessChangesIn(accessHeaders(ctx))).toHaveLength(150);
  });
});
