import type { OidcConnection, SaveOidcConnection } from '@tandem/contracts';
import { api } from '../../../app/api';

export type ConnectionForm = Pick<SaveOidcConnection, 'issuer' | 'client_id' | 'is_active' | 'auto_join'> & { client_secret: string };

/** The response is the stored connection, so it needs no refetch. */
const keep = (connection: OidcConnection | null) => ssoApi.util.upsertQueryData('readOidcConnection', undefined, connection);

export const ssoApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    beginSso: build.mutation<{ authorize_url: string }, { subdomain: string; redirect?: string | undefined }>({
      query: (body) => ({ path: '/auth/oidc', method: 'POST', body }),
    }),
    readOidcConnection: build.query<OidcConnection | null, void>({
      query: () => ({ path: '/oidc-connection' }),
      // Another admin may have changed it: refetch on every visit.
      keepUnusedDataFor: 0,
    }),
    saveOidcConnection: build.mutation<OidcConnection, ConnectionForm>({
      // If the field is empty, the stored secret is not changed.
      query: ({ client_secret, ...form }) => ({
        path: '/oidc-connection',
        method: 'PUT',
        body: client_secret === '' ? form : { ...form, client_secret },
      }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const saved = await queryFulfilled.catch(() => undefined);
        if (saved) await dispatch(keep(saved.data));
      },
    }),
    deleteOidcConnection: build.mutation<unknown, void>({
      query: () => ({ path: '/oidc-connection', method: 'DELETE' }),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        if (await queryFulfilled.catch(() => undefined)) await dispatch(keep(null));
      },
    }),
  }),
});

export const { useBeginSsoMutation, useReadOidcConnectionQuery, useSaveOidcConnectionMutation, useDeleteOidcConnectionMutation } = ssoApi;
