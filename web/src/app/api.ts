import { createApi, type BaseQueryFn } from '@reduxjs/toolkit/query/react';
import type { Pagination, Session } from '@tandem/contracts';
import { extendSession, listMembers, readSession, readTaskToolConnections, signOut } from '@tandem/contracts/endpoints';
import { call } from '../lib/call';
import { isSessionOver, read, sendSignedIn, type ApiRequest } from '../lib/http';
import type { ApiProblem } from '../lib/problem';
import { resend } from '../lib/resend';
import { mayHaveSession } from '../lib/session-cookie';
import { t } from '../lib/staff-texts';
import { endpoint } from './endpoint';

/** Cache tags: the data that pages cache and that live events can invalidate. */
export const tagTypes = [
  'Session',
  'Ticket',
  'TicketList',
  'Views',
  'ViewCounts',
  'Comments',
  'Stats',
  'Analytics',
  'Reports',
  'Members',
  'Invitations',
  'Organization',
  'Branding',
  'Wording',
  'Notifications',
  'Emails',
  'MailIn',
  'MailServer',
  'SenderDomain',
  'TaskTools',
  'Integrations',
  'TicketTask',
  'ApiTokens',
  'WebhookEndpoints',
  'WebhookDeliveries',
  'WebhookReplays',
  'Rules',
  'CustomFields',
  'Article',
  'ArticleList',
  'ArticleVersions',
  'ArticleCategories',
  'InstallationOrganizations',
  'Imports',
  'Exports',
  'Erasures',
] as const;
export type TagType = (typeof tagTypes)[number];

/** Result when the readable session cookie is missing: there is no session, so no request is needed. */
const notSignedIn: ApiProblem = {
  success: false,
  type: 'about:blank',
  title: t('app.please_sign_in'),
  status: 401,
  code: 'session.required',
  request_id: '',
};

/** RTK Query has already rejected the request that it aborted, and shows this to no one; it would log a thrown error. */
const aborted: ApiProblem = { ...notSignedIn, title: t('app.aborted'), status: 0, code: 'request.aborted' };

/** A 401 from these endpoints must not invalidate the session: reading it again would cause an endless loop. */
const sessionPaths = new Set([call(readSession).path, call(signOut).path]);

const baseQuery: BaseQueryFn<ApiRequest, unknown, ApiProblem, object, { pagination?: Pagination }> = async (
  request,
  { signal, type, dispatch },
) => {
  if (request.path === call(readSession).path && !mayHaveSession()) return { error: notSignedIn };
  const send = type === 'query' ? read : request.resend ? resend : sendSignedIn;
  const answer = await send(request, signal).catch((error: unknown) => {
    if (signal.aborted) return { problem: aborted };
    throw error;
  });
  if (!answer.problem) return { data: answer.data, meta: answer.pagination ? { pagination: answer.pagination } : {} };
  // The session ended in the middle of work: reading it again returns 401, and the guard redirects to /auth.
  if (isSessionOver(answer.problem) && !sessionPaths.has(request.path)) dispatch(api.util.invalidateTags(['Session']));
  return { error: answer.problem };
};

/**
 * Cache of all server data. Features add endpoints with `api.injectEndpoints` in `<feature>.api.ts`; endpoints that several features use
 * are defined here. Pass `overrideExisting: 'throw'`: by default RTK Query ignores the second of two endpoints with one name.
 */
export const api = createApi({
  reducerPath: 'api',
  baseQuery,
  tagTypes,
  keepUnusedDataFor: 120,
  refetchOnReconnect: true,
  endpoints: (build) => ({
    readSession: build.query({
      ...endpoint(() => call(readSession)),
      providesTags: ['Session'],
      keepUnusedDataFor: 3_600,
    }),
    signOut: build.mutation(endpoint(() => call(signOut))),
    extendSession: build.mutation(endpoint(() => call(extendSession))),
    listMembers: build.query({
      ...endpoint(() => call(listMembers)),
      providesTags: ['Members'],
      keepUnusedDataFor: 600,
    }),
    readTaskToolConnections: build.query({
      ...endpoint(() => call(readTaskToolConnections)),
      providesTags: ['TaskTools'],
    }),
  }),
});

export const { useReadSessionQuery, useSignOutMutation, useExtendSessionMutation, useListMembersQuery, useReadTaskToolConnectionsQuery } =
  api;

/** The session of the signed-in user, for pages behind the guard. */
export function useSession(): Session {
  const { data } = useReadSessionQuery();
  if (!data) throw new Error('useSession is for pages behind the guard');
  return data;
}
