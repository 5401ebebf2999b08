import {
  deleteArticle,
  listArticleRatings,
  listArticleVersions,
  publishArticle,
  restoreArticle,
  unpublishArticle,
} from '@tandem/contracts/endpoints';
import { api } from '../api';
import { endpoint, infiniteEndpoint } from '../endpoint';
import { call } from '../../lib/call';
import { cacheArticle } from './articles.api';

export const articlePublishingApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
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
    listArticleRatings: build.infiniteQuery({
      ...infiniteEndpoint((id: string, cursor) => call(listArticleRatings, { params: { id }, query: { limit: 20, cursor } })),
      keepUnusedDataFor: 0,
    }),
  }),
});

export const {
  usePublishArticleMutation,
  useUnpublishArticleMutation,
  useDeleteArticleMutation,
  useRestoreArticleMutation,
  useListArticleVersionsQuery,
  useListArticleRatingsInfiniteQuery,
} = articlePublishingApi;
