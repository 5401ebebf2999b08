import type { OidcConnection, SaveOidcConnection } from '@tandem/contracts';
import { beginOidc, deleteOidcConnection, readOidcConnection, saveOidcConnection } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

export type ConnectionForm = Pick<SaveOidcConnection, 'issuer' | 'client_id' | 'is_active' | 'auto_join'> & { client_secret: string };

/** The response is the stored connection, so it needs no refetch. */
const keep = (connection: OidcConnection | null) => ssoApi.util.upsertQueryData('readOidcConnection', undefined, connection);

export const ssoApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    beginSso: build.mutation(endpoint((body: BodyOf<typeof beginOidc>) => call(beginOidc, { body }))),
    readOidcConnection: build.query({
      ...endpoint(() => call(readOidcConnection)),
      // Another admin may have changed it: refetch on every visit.
      keepUnusedDataFor: 0,
    }),
    saveOidcConnection: build.mutation({
      // If the field is empty, the stored secret is not changed.
      ...endpoint(({ client_secret, ...form }: ConnectionForm) =>
        call(saveOidcConnection, { body: client_secret === '' ? form : { ...form, client_secret } }),
      ),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const saved = await queryFulfilled.catch(() => undefined);
        if (saved) await dispatch(keep(saved.data));
      },
    }),
    deleteOidcConnection: build.mutation({
      ...endpoint(() => call(deleteOidcConnection)),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        if (await queryFulfilled.catch(() => undefined)) await dispatch(keep(null));
      },
    }),
  }),
});

export const { useBeginSsoMutation, useReadOidcConnectionQuery, useSaveOidcConnectionMutation, useDeleteOidcConnectionMutation } = ssoApi;
