import type { Article, ArticleCategory } from '@tandem/contracts';
import {
  addArticlePicture,
  createArticle,
  createArticleCategory,
  deleteArticle,
  deleteArticleCategory,
  draftArticleFromTicket,
  listArticleCategories,
  listArticleRatings,
  listArticles,
  listArticleVersions,
  orderArticleCategories,
  publishArticle,
  readArticle,
  readArticleVersion,
  restoreArticle,
  unpublishArticle,
  updateArticle,
  updateArticleCategory,
} from '@tandem/contracts/endpoints';
import { api } from '../api';
import { endpoint, infiniteEndpoint, pageEndpoint } from '../endpoint';
import type { AppDispatch } from '../../app/store';
import { call, type BodyOf, type QueryOf } from '../../lib/call';

export type ArticleQuery = NonNullable<QueryOf<typeof listArticles>>;

const pageSize = 50;

interface Started {
  dispatch: unknown;
  queryFulfilled: Promise<{ data: Article }>;
}
/** A response contains the whole article. */
async function cacheArticle({ dispatch, queryFulfilled }: Started): Promise<void> {
  const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
  if (data) await (dispatch as AppDispatch)(articlesApi.util.upsertQueryData('readArticle', data.id, data));
}

export const articlesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** One page, for pickers. */
    listArticles: build.query({
      ...pageEndpoint((query: ArticleQuery) => call(listArticles, { query })),
      providesTags: ['ArticleList'],
    }),
    listArticlePages: build.infiniteQuery({
      ...infiniteEndpoint((query: ArticleQuery, cursor) => call(listArticles, { query: { ...query, limit: pageSize, cursor } })),
      providesTags: ['ArticleList'],
      keepUnusedDataFor: 30,
    }),
    readArticle: build.query({
      ...endpoint((id: string) => call(readArticle, { params: { id } })),
      providesTags: (_article, _error, id) => [{ type: 'Article', id }],
    }),
    createArticle: build.mutation({
      ...endpoint(({ article, key }: { article: BodyOf<typeof createArticle>; key: string }) =>
        call(createArticle, { body: article, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: ['ArticleList', 'ArticleCategories'],
    }),
    draftArticleFromTicket: build.mutation({
      ...endpoint(({ ticket_id, key }: { ticket_id: string; key: string }) =>
        call(draftArticleFromTicket, { params: { id: ticket_id }, headers: { 'idempotency-key': key } }),
      ),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: ['ArticleList'],
    }),
    /** With the version that the user saw: the server refuses with 412 if the article has changed since. */
    updateArticle: build.mutation({
      ...endpoint(({ id, changes, version }: { id: string; changes: BodyOf<typeof updateArticle>; version: number }) =>
        call(updateArticle, { params: { id }, body: changes, headers: { 'if-match': `"${version}"` } }),
      ),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: (_article, error, { changes }) =>
        error ? [] : 'category_id' in changes ? ['ArticleList', 'ArticleCategories'] : ['ArticleList'],
    }),
    publishArticle: build.mutation({
      ...endpoint(({ id, version }: { id: string; version: number }) => call(publishArticle, { params: { id }, body: { version } })),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: (_article, error, { id }) => (error ? [] : ['ArticleList', { type: 'ArticleVersions', id }]),
    }),
    unpublishArticle: build.mutation({
      ...endpoint((id: string) => call(unpublishArticle, { params: { id } })),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: ['ArticleList'],
    }),
    deleteArticle: build.mutation({
      ...endpoint((id: string) => call(deleteArticle, { params: { id } })),
      invalidatesTags: (_nothing, error, id) => (error ? [] : ['ArticleList', 'ArticleCategories', { type: 'Article', id }]),
    }),
    restoreArticle: build.mutation({
      ...endpoint((id: string) => call(restoreArticle, { params: { id } })),
      onQueryStarted: (_argument, started) => cacheArticle(started),
      invalidatesTags: ['ArticleList', 'ArticleCategories'],
    }),
    listArticleVersions: build.query({
      ...endpoint((id: string) => call(listArticleVersions, { params: { id } })),
      providesTags: (_versions, _error, id) => [{ type: 'ArticleVersions', id }],
    }),
    /** A version never changes. */
    readArticleVersion: build.query(
      endpoint(({ id, number }: { id: string; number: number }) => call(readArticleVersion, { params: { id, number } })),
    ),
    listArticleRatings: build.infiniteQuery({
      ...infiniteEndpoint((id: string, cursor) => call(listArticleRatings, { params: { id }, query: { limit: 20, cursor } })),
      keepUnusedDataFor: 0,
    }),
    /** For the text of an article: the file was announced and sent like one for a comment. */
    addArticlePicture: build.mutation({
      ...endpoint(({ id, attachment_id }: { id: string; attachment_id: string }) =>
        call(addArticlePicture, { params: { id }, body: { attachment_id } }),
      ),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const { data } = await queryFulfilled.catch(() => ({ data: undefined }));
        if (data) dispatch(articlesApi.util.updateQueryData('readArticle', id, ({ pictures }) => void pictures.push(data)));
      },
    }),

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
        if (data) dispatch(articlesApi.util.updateQueryData('listArticleCategories', undefined, (): ArticleCategory[] => data));
      },
    }),
  }),
});

export const {
  useListArticlesQuery,
  useListArticlePagesInfiniteQuery,
  useReadArticleQuery,
  useCreateArticleMutation,
  useDraftArticleFromTicketMutation,
  useUpdateArticleMutation,
  usePublishArticleMutation,
  useUnpublishArticleMutation,
  useDeleteArticleMutation,
  useRestoreArticleMutation,
  useListArticleVersionsQuery,
  useReadArticleVersionQuery,
  useListArticleRatingsInfiniteQuery,
  useAddArticlePictureMutation,
  useListArticleCategoriesQuery,
  useCreateArticleCategoryMutation,
  useUpdateArticleCategoryMutation,
  useDeleteArticleCategoryMutation,
  useOrderArticleCategoriesMutation,
} = articlesApi;
