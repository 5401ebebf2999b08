import {
  changePlan,
  discardOneDeadLetter,
  listAllDeadLetters,
  listAllWaitingConnections,
  listInstallationOrganizations,
  listOperatorLog,
  readOperations,
  replayOneDeadLetter,
} from '@tandem/contracts/endpoints';
import type { DeadLetterSummary, PlanName, ServiceName } from '@tandem/contracts';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { call } from '../../lib/call';

export type DeadLetter = DeadLetterSummary & { service: ServiceName };
type Letter = Pick<DeadLetter, 'service' | 'id'>;

/** Nothing is kept: each visit of a tab is a request, which the server records. */
const fresh = { keepUnusedDataFor: 0 };

const organizationsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    searchOrganizations: build.query({
      ...endpoint((q: string) => call(listInstallationOrganizations, { query: { q } })),
      ...fresh,
      providesTags: ['InstallationOrganizations'],
    }),
  }),
});

const operatorApi = organizationsApi.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readOperations: build.query({ ...endpoint(() => call(readOperations)), ...fresh }),
    listDeadLetters: build.query({ ...endpoint(() => call(listAllDeadLetters)), ...fresh }),
    replayDeadLetter: build.mutation(endpoint((params: Letter) => call(replayOneDeadLetter, { params }))),
    discardDeadLetter: build.mutation(endpoint((params: Letter) => call(discardOneDeadLetter, { params }))),
    listWaitingConnections: build.query({ ...endpoint(() => call(listAllWaitingConnections)), ...fresh }),
    changePlan: build.mutation({
      ...endpoint(({ id, plan }: { id: string; plan: PlanName | null }) => call(changePlan, { params: { id }, body: { plan } })),
      // Also after a refusal: another operator may have changed it in the meantime.
      invalidatesTags: ['InstallationOrganizations'],
      // The lists show the plan immediately.
      onQueryStarted: async ({ id, plan }, api) => {
        const { selectCachedArgsForQuery, updateQueryData } = organizationsApi.util;
        const patches = selectCachedArgsForQuery(api.getState(), 'searchOrganizations').map((q) =>
          api.dispatch(
            updateQueryData('searchOrganizations', q, (organizations) => {
              for (const each of organizations) if (each.id === id) each.plan = plan;
            }),
          ),
        );
        await api.queryFulfilled.catch(() => patches.forEach((patch) => patch.undo()));
      },
    }),
    readOperatorLog: build.query({ ...endpoint(() => call(listOperatorLog)), ...fresh }),
  }),
});

export const {
  useReadOperationsQuery,
  useListDeadLettersQuery,
  useReplayDeadLetterMutation,
  useDiscardDeadLetterMutation,
  useListWaitingConnectionsQuery,
  useSearchOrganizationsQuery,
  useReadOperatorLogQuery,
  useChangePlanMutation,
} = operatorApi;
