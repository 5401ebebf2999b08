import type {
  Backfill,
  CreateIntegration,
  Integration,
  Pagination,
  SyncLogEntry,
  SyncProblem,
  TaskList,
  TaskTool,
  TaskToolChoice,
  TaskToolConnection,
  UpdateIntegration,
} from '@tandem/contracts';
import { api } from '../../app/api';
import type { AppDispatch } from '../../app/store';
import { isProblem } from '../../lib/problem';

export type LogLevel = SyncLogEntry['level'];
export type ProblemKind = SyncProblem['kind'];
type ProblemPage = { items: SyncProblem[]; pagination: Pagination | undefined };
type LogPage = { items: SyncLogEntry[]; pagination: Pagination | undefined };

const integration = (id: string) => `/task-tool/integrations/${encodeURIComponent(id)}`;
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

export const integrationApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listTaskTools: build.query<TaskTool[], void>({ query: () => ({ path: '/task-tool/providers' }), keepUnusedDataFor: 3_600 }),

    // ---- connection
    connectTaskTool: build.mutation<TaskToolConnection, { provider: string; token: string }>({
      query: (body) => ({ path: '/task-tool/connection', method: 'POST', body }),
      invalidatesTags: (connected) => (connected ? ['TaskTools', 'Integrations'] : []),
    }),
    authorizeTaskTool: build.mutation<{ url: string }, { provider: string }>({
      query: (body) => ({ path: '/task-tool/connection/authorize', method: 'POST', body }),
    }),
    completeAuthorization: build.mutation<TaskToolConnection, { provider: string; code: string; state: string }>({
      query: (body) => ({ path: '/task-tool/connection/callback', method: 'POST', body }),
      invalidatesTags: (connected) => (connected ? ['TaskTools', 'Integrations'] : []),
    }),
    disconnectTaskTool: build.mutation<unknown, string>({
      query: (provider) => ({ path: `/task-tool/connection/${encodeURIComponent(provider)}`, method: 'DELETE' }),
      invalidatesTags: ['TaskTools', 'Integrations'],
    }),

    // ---- choosing a list
    listWorkspaces: build.query<TaskToolChoice[], { provider: string }>({
      query: (query) => ({ path: '/task-tool/workspaces', query }),
      ...choosing,
    }),
    listSpaces: build.query<TaskToolChoice[], { provider: string; workspace_id: string }>({
      query: (query) => ({ path: '/task-tool/spaces', query }),
      ...choosing,
    }),
    listTaskLists: build.query<TaskToolChoice[], { provider: string; space_id?: string; workspace_id?: string }>({
      query: (query) => ({ path: '/task-tool/lists', query }),
      ...choosing,
    }),
    readTaskList: build.query<TaskList, { provider: string; id: string }>({
      query: ({ provider, id }) => ({ path: `/task-tool/lists/${encodeURIComponent(id)}`, query: { provider } }),
      ...choosing,
    }),

    // ---- integrations
    listIntegrations: build.query<Integration[], void>({
      query: () => ({ path: '/task-tool/integrations' }),
      providesTags: ['Integrations'],
      keepUnusedDataFor: 30,
    }),
    createIntegration: build.mutation<Integration, { body: CreateIntegration; key: string }>({
      query: ({ body, key }) => ({ path: '/task-tool/integrations', method: 'POST', body, headers: { 'idempotency-key': key } }),
      invalidatesTags: (created) => (created ? ['Integrations'] : []),
    }),
    updateIntegration: build.mutation<Integration, { id: string; changes: UpdateIntegration }>({
      query: ({ id, changes }) => ({ path: integration(id), method: 'PATCH', body: changes }),
      onQueryStarted: async ({ changes }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        // Other rules may change its position in the order.
        if (answer && changes.rules) dispatch(integrationApi.util.invalidateTags(['Integrations']));
        if (answer) dispatch(keep(answer.data));
      },
    }),
    orderIntegrations: build.mutation<Integration[], string[]>({
      query: (ids) => ({ path: '/task-tool/integrations/order', method: 'PUT', body: { ids } }),
      invalidatesTags: (_done, error) => (error ? ['Integrations'] : []),
      onQueryStarted: async (_, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) await dispatch(integrationApi.util.upsertQueryData('listIntegrations', undefined, answer.data));
      },
    }),
    deleteIntegration: build.mutation<unknown, string>({
      query: (id) => ({ path: integration(id), method: 'DELETE' }),
      invalidatesTags: (_done, error) => (error ? [] : ['Integrations']),
    }),
    readBackfill: build.query<Backfill, string>({
      query: (id) => ({ path: `${integration(id)}/backfill` }),
      keepUnusedDataFor: 5,
    }),
    startBackfill: build.mutation<Backfill, string>({
      query: (id) => ({ path: `${integration(id)}/backfill`, method: 'POST', body: {} }),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) await dispatch(integrationApi.util.upsertQueryData('readBackfill', id, answer.data));
      },
    }),
    listSyncProblems: build.infiniteQuery<ProblemPage, { id: string; kind?: ProblemKind }, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination?.next_cursor ?? null },
      query: ({ queryArg: { id, kind }, pageParam }) => ({
        path: `${integration(id)}/problems`,
        query: { kind, limit: logPageSize, cursor: pageParam ?? undefined },
      }),
      transformResponse: (items: SyncProblem[], meta) => ({ items, pagination: meta?.pagination }),
      providesTags: ['Integrations'],
      keepUnusedDataFor: 0,
    }),
    retryIntegration: build.mutation<{ retried: number }, string>({
      query: (id) => ({ path: `${integration(id)}/retry`, method: 'POST', body: {} }),
      invalidatesTags: (done) => (done ? ['Integrations'] : []),
    }),
    readSyncLog: build.infiniteQuery<LogPage, { id: string; level?: LogLevel }, string | null>({
      infiniteQueryOptions: { initialPageParam: null, getNextPageParam: ({ pagination }) => pagination?.next_cursor ?? null },
      query: ({ queryArg: { id, level }, pageParam }) => ({
        path: `${integration(id)}/sync-log`,
        query: { level, limit: logPageSize, cursor: pageParam ?? undefined },
      }),
      transformResponse: (items: SyncLogEntry[], meta) => ({ items, pagination: meta?.pagination }),
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
