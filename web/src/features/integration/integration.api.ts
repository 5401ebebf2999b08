import type { CreateIntegration, Integration, SyncLogEntry, SyncProblem, UpdateIntegration } from '@tandem/contracts';
import {
  authorizeTaskTool,
  completeTaskToolAuthorization,
  connectTaskTool,
  createIntegration,
  deleteIntegration,
  disconnectTaskTool,
  listIntegrations,
  listSpaces,
  listSyncProblems,
  listTaskLists,
  listTaskTools,
  listWorkspaces,
  orderIntegrations,
  readBackfill,
  readSyncLog,
  readTaskList,
  retryIntegration,
  startBackfill,
  updateIntegration,
} from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { endpoint, infiniteEndpoint } from '../../app/endpoint';
import type { AppDispatch } from '../../app/store';
import { call, type BodyOf, type QueryOf } from '../../lib/call';
import { isProblem } from '../../lib/problem';

export type LogLevel = SyncLogEntry['level'];
export type ProblemKind = SyncProblem['kind'];

const logPageSize = 25;
/** Each lookup is a request to the task tool, which allows an organization 100 per minute. */
const choicesKeptSeconds = 60;

/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);

/** If the tool has just refused the token, refetch the connection so that its card shows it. */
const noticeBroken = async (_: unknown, { dispatch, queryFulfilled }: { dispatch: AppDispatch; queryFulfilled: Promise<unknown> }) => {
  const failed: unknown = await queryFulfilled.then(
    () => undefined,
    ({ error }: { error: unknown }) => error,
  );
  if (isProblem(failed) && (failed.code === 'task_tool.broken' || failed.code === 'task_tool.not_connected'))
    dispatch(api.util.invalidateTags(['TaskTools', 'Integrations']));
};
const choosing = { keepUnusedDataFor: choicesKeptSeconds, onQueryStarted: noticeBroken };

/** Replaces the changed integration in the cached list, without a refetch. */
const keep = (changed: Integration) =>
  integrationApi.util.updateQueryData('listIntegrations', undefined, (all) => {
    const at = all.findIndex(({ id }) => id === changed.id);
    if (at >= 0) all[at] = changed;
  });

const connectionApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listTaskTools: build.query({ ...endpoint(() => call(listTaskTools)), keepUnusedDataFor: 3_600 }),

    connectTaskTool: build.mutation({
      ...endpoint((body: BodyOf<typeof connectTaskTool>) => call(connectTaskTool, { body })),
      invalidatesTags: (connected) => (connected ? ['TaskTools', 'Integrations'] : []),
    }),
    authorizeTaskTool: build.mutation(endpoint((body: BodyOf<typeof authorizeTaskTool>) => call(authorizeTaskTool, { body }))),
    completeAuthorization: build.mutation({
      ...endpoint((body: BodyOf<typeof completeTaskToolAuthorization>) => call(completeTaskToolAuthorization, { body })),
      invalidatesTags: (connected) => (connected ? ['TaskTools', 'Integrations'] : []),
    }),
    disconnectTaskTool: build.mutation({
      ...endpoint((provider: string) => call(disconnectTaskTool, { params: { provider } })),
      invalidatesTags: ['TaskTools', 'Integrations'],
    }),
  }),
});

/** For choosing a list. */
const choicesApi = connectionApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listWorkspaces: build.query({
      ...endpoint((query: QueryOf<typeof listWorkspaces>) => call(listWorkspaces, { query })),
      ...choosing,
    }),
    listSpaces: build.query({
      ...endpoint((query: QueryOf<typeof listSpaces>) => call(listSpaces, { query })),
      ...choosing,
    }),
    listTaskLists: build.query({
      ...endpoint((query: QueryOf<typeof listTaskLists>) => call(listTaskLists, { query })),
      ...choosing,
    }),
    readTaskList: build.query({
      ...endpoint(({ provider, id }: { provider: string; id: string }) => call(readTaskList, { params: { id }, query: { provider } })),
      ...choosing,
    }),
  }),
});

const integrationsApi = choicesApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listIntegrations: build.query({
      ...endpoint(() => call(listIntegrations)),
      providesTags: ['Integrations'],
      keepUnusedDataFor: 30,
    }),
    createIntegration: build.mutation({
      ...endpoint(({ body, key }: { body: CreateIntegration; key: string }) =>
        call(createIntegration, { body, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: (created) => (created ? ['Integrations'] : []),
    }),
    updateIntegration: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: UpdateIntegration }) =>
        call(updateIntegration, { params: { id }, body: changes }),
      ),
      onQueryStarted: async ({ changes }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        // Other rules may change its position in the order.
        if (answer && changes.rules) dispatch(integrationApi.util.invalidateTags(['Integrations']));
        if (answer) dispatch(keep(answer.data));
      },
    }),
    orderIntegrations: build.mutation({
      ...endpoint((ids: string[]) => call(orderIntegrations, { body: { ids } })),
      invalidatesTags: (_done, error) => (error ? ['Integrations'] : []),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) await dispatch(integrationApi.util.upsertQueryData('listIntegrations', undefined, answer.data));
      },
    }),
    deleteIntegration: build.mutation({
      ...endpoint((id: string) => call(deleteIntegration, { params: { id } })),
      invalidatesTags: (_done, error) => (error ? [] : ['Integrations']),
    }),
  }),
});

export const integrationApi = integrationsApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readBackfill: build.query({
      ...endpoint((id: string) => call(readBackfill, { params: { id } })),
      keepUnusedDataFor: 5,
    }),
    startBackfill: build.mutation({
      ...endpoint((id: string) => call(startBackfill, { params: { id } })),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) await dispatch(integrationApi.util.upsertQueryData('readBackfill', id, answer.data));
      },
    }),
    listSyncProblems: build.infiniteQuery({
      ...infiniteEndpoint(({ id, kind }: { id: string; kind?: ProblemKind }, cursor) =>
        call(listSyncProblems, { params: { id }, query: { kind, limit: logPageSize, cursor } }),
      ),
      providesTags: ['Integrations'],
      keepUnusedDataFor: 0,
    }),
    retryIntegration: build.mutation({
      ...endpoint((id: string) => call(retryIntegration, { params: { id } })),
      invalidatesTags: (done) => (done ? ['Integrations'] : []),
    }),
    readSyncLog: build.infiniteQuery({
      ...infiniteEndpoint(({ id, level }: { id: string; level?: LogLevel }, cursor) =>
        call(readSyncLog, { params: { id }, query: { level, limit: logPageSize, cursor } }),
      ),
      // Log entries are not pushed as events: read the log again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  useListTaskToolsQuery,
  useConnectTaskToolMutation,
  useAuthorizeTaskToolMutation,
  useCompleteAuthorizationMutation,
  useDisconnectTaskToolMutation,
  useListWorkspacesQuery,
  useListSpacesQuery,
  useListTaskListsQuery,
  useReadTaskListQuery,
  useListIntegrationsQuery,
  useCreateIntegrationMutation,
  useUpdateIntegrationMutation,
  useOrderIntegrationsMutation,
  useDeleteIntegrationMutation,
  useReadBackfillQuery,
  useStartBackfillMutation,
  useListSyncProblemsInfiniteQuery,
  useRetryIntegrationMutation,
  useReadSyncLogInfiniteQuery,
} = integrationApi;
