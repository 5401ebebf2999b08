import type { Branding, SaveBranding } from '@tandem/contracts';
import { api } from '../../../app/api';

/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);

const brandingApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readBranding: build.query<Branding, void>({ query: () => ({ path: '/branding' }), providesTags: ['Branding'] }),
    saveBranding: build.mutation<Branding, SaveBranding>({
      query: (body) => ({ path: '/branding', method: 'PUT', body }),
      // The response is the new state, so no refetch is needed.
      onQueryStarted: async (_changes, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(brandingApi.util.updateQueryData('readBranding', undefined, () => answer.data));
      },
    }),
    addBrandingAsset: build.mutation<{ url: string }, string>({
      query: (content) => ({ path: '/branding/assets', method: 'POST', body: { content } }),
    }),
    verifyCustomDomain: build.mutation<Branding, void>({
      query: () => ({ path: '/branding/custom-domain/verify', method: 'POST', body: {} }),
      // The response is the new state, so no refetch is needed.
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(brandingApi.util.updateQueryData('readBranding', undefined, () => answer.data));
      },
    }),
  }),
});

export const { useReadBrandingQuery, useSaveBrandingMutation, useAddBrandingAssetMutation, useVerifyCustomDomainMutation } = brandingApi;
