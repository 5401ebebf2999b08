import type { Organization } from '@tandem/contracts';
import { api } from '../../app/api';

export const { useCreateOrganizationMutation } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Invalidates nothing: otherwise the guard would redirect before the page has shown its second step.
    createOrganization: build.mutation<Organization, { name: string }>({
      query: (body) => ({ path: '/organizations', method: 'POST', body }),
    }),
  }),
});
