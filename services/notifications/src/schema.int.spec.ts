import { unprotectedTables } from '@tandem/db';
import { freshDatabase } from '@tandem/testing';

it('shows no table to another organization', async () => {
  const { ownerUrl } = await freshDatabase('notifications');
  expect(await unprotectedTables(ownerUrl)).toEqual([]);
});
