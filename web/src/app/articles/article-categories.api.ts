import type { ArticleCategory } from '@tandem/contracts';
import {
  createArticleCategory,
  deleteArticleCategory,
  listArticleCategories,
  orderArticleCategories,
  updateArticleCategory,
} from '@tandem/contracts/endpoints';
import { api } from '../api';
import { endpoint } from '../endpoint';
import { call, type BodyOf } from '../../lib/call';

export const articleCategoriesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    listArticleCategories: build.query({
      ...endpoint(() => call(listArticleCategories)),
      providesTags: ['ArticleCategories'],
    }),
    createArticleCategory: build.mutation({
      ...endpoint(({ category, key }: { category: BodyOf<typeof createArticleCategory>; key: string }) =>
        call(createArticleCategory, { body: category, headers: { 'idempotency-key': key } }),
      ),
      invalidatesTags: ['ArticleCategories'],
    }),
    updateArticleCategory: build.mutation({
      ...endpoint(({ id, changes }: { id: string; changes: BodyOf<typeof updateArticleCategory> }) =>
        call(updateArticleCategory, { params: { id }, body: changes }),
      ),
      invalidatesTags: ['ArticleCategories'],
    }),
    deleteArticleCategory: build.mutation({
      ...endpoint((id: string) => call(deleteArticleCategory, { params: { id } })),
      invalidatesTags: ['ArticleCategories', 'ArticleList', 'Article'],
    }),
    orderArticleCategories: build.mutation({
      ...endpoint((ids: string[]) => call(orderArticleCategories, { body: { ids }, keepalive: true })),
      // A colleague may have added or deleted a category.
      invalidatesTags: (_categories, error) => (error ? ['ArticleCategories'] : []),
      onQueryStarted: async (_ids, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(articleCategoriesApi.util.updateQueryData('listArticleCategories', undefined, (): ArticleCategory[] => data));
      },
    }),
  }),
});

export const {
  useListArticleCategoriesQuery,
  useCreateArticleCategoryMutation,
  useUpdateArticleCategoryMutation,
  useDeleteArticleCategoryMutation,
  useOrderArticleCategoriesMutation,
} = articleCategoriesApi;
