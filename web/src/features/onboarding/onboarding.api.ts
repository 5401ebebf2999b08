import { createOrganization } from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { call, type BodyOf } from '../../lib/call';

export const { useCreateOrganizationMutation } = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Invalidates nothing: otherwise the guard would redirect before the page has shown its second step.
    createOrganization: build.mutation(endpoint((body: BodyOf<typeof createOrganization>) => call(createOrganization, { body }))),
  }),
});
