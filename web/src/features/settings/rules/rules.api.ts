import type { Rule } from '@tandem/contracts';
import { createRule, deleteRule, listRuleRuns, listRules, orderRules, testRule, updateRule } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint, infiniteEndpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

const runPageSize = 25;

const rulesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listRules: build.query({ ...endpoint(() => call(listRules)), providesTags: ['Rules'] }),
    createRule: build.mutation({
      ...endpoint(({ rule, key }: { rule: BodyOf<typeof createRule>; key: string }) =>
        call(createRule, { body: rule, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: async (_rule, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(rulesApi.util.updateQueryData('listRules', undefined, (rules) => [...rules, data]));
      },
    }),
    updateRule: build.mutation({
      // With `keepalive`, the request outlives the page: an undone deletion must not leave the rule turned off.
      ...endpoint(({ id, changes, keepalive }: { id: string; changes: BodyOf<typeof updateRule>; keepalive?: boolean }) =>
        call(updateRule, { params: { id }, body: changes, ...(keepalive ? { keepalive } : {}) }),
      ),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(putRule(id, data));
      },
    }),
    deleteRule: build.mutation({
      ...endpoint((id: string) => call(deleteRule, { params: { id }, keepalive: true })),
      onQueryStarted: async (id, { dispatch, queryFulfilled }) => {
        const gone = dispatch(rulesApi.util.updateQueryData('listRules', undefined, (rules) => rules.filter((rule) => rule.id !== id)));
        await queryFulfilled.catch(() => gone.undo());
      },
    }),
    orderRules: build.mutation({
      ...endpoint((ids: string[]) => call(orderRules, { body: { ids }, keepalive: true })),
      // Another admin may have added or deleted a rule.
      invalidatesTags: (_rules, error) => (error ? ['Rules'] : []),
      onQueryStarted: async (_ids, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(rulesApi.util.updateQueryData('listRules', undefined, () => data));
      },
    }),
    testRule: build.mutation(endpoint((rule: BodyOf<typeof testRule>['rule']) => call(testRule, { body: { rule } }))),
    listRuleRuns: build.infiniteQuery({
      ...infiniteEndpoint((id: string, cursor) => call(listRuleRuns, { params: { id }, query: { limit: runPageSize, cursor } })),
      // Runs are not pushed as events: read them again on every visit.
      keepUnusedDataFor: 0,
    }),
  }),
});

const putRule = (id: string, changed: Rule) =>
  rulesApi.util.updateQueryData('listRules', undefined, (rules) => rules.map((rule) => (rule.id === id ? changed : rule)));

export const {
  useListRulesQuery,
  useCreateRuleMutation,
  useUpdateRuleMutation,
  useDeleteRuleMutation,
  useOrderRulesMutation,
  useTestRuleMutation,
  useListRuleRunsInfiniteQuery,
} = rulesApi;
