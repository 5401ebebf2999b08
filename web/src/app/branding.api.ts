import { addBrandingAsset, readBranding, saveBranding, verifyCustomDomain } from '@tandem/contracts/endpoints';
import { api } from './api';
import { endpoint } from './endpoint';
import { call, type BodyOf } from '../lib/call';

/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);

const brandingApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readBranding: build.query({ ...endpoint(() => call(readBranding)), providesTags: ['Branding'] }),
    saveBranding: build.mutation({
      ...endpoint((body: BodyOf<typeof saveBranding>) => call(saveBranding, { body })),
      // The response is the new state, so no refetch is needed.
      onQueryStarted: async (_changes, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(brandingApi.util.updateQueryData('readBranding', undefined, () => answer.data));
      },
    }),
    addBrandingAsset: build.mutation(endpoint((content: string) => call(addBrandingAsset, { body: { content } }))),
    verifyCustomDomain: build.mutation({
      ...endpoint(() => call(verifyCustomDomain)),
      // The response is the new state, so no refetch is needed.
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(brandingApi.util.updateQueryData('readBranding', undefined, () => answer.data));
      },
    }),
  }),
});

export const { useReadBrandingQuery, useSaveBrandingMutation, useAddBrandingAssetMutation, useVerifyCustomDomainMutation } = brandingApi;
