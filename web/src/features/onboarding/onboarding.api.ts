import type { Organization } from '@tandem/contracts';
import { api } from '../../app/api';

export const { useCreateOrganizationMutation } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Nothing is invalidated: the page shows its second step before the guard may learn that there is an organization.
    createOrganization: build.mutation<Organization, { name: string }>({
      query: (body) => ({ path: '/organizations', method: 'POST', body }),
    }),
  }),
});
