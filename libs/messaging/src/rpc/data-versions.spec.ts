import { allOperations } from '@tandem/contracts';
import { versionedOwners } from './data-versions';

it('knows all services with versioned operations', () => {
  expect(versionedOwners).toEqual(new Set(allOperations.filter(({ versioned }) => versioned).map(({ owner }) => owner)));
});
