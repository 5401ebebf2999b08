import type { Article } from '@tandem/contracts';
import {
  addArticlePicture,
  createArticle,
  draftArticleFromTicket,
  listArticles,
  readArticle,
  readArticleVersion,
  updateArticle,
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
export async function cacheArticle({ dispatch, queryFulfilled }: Started): Promise<void> {
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
    /** A version never changes. */
    readArticleVersion: build.query(
      endpoint(({ id, number }: { id: string; number: number }) => call(readArticleVersion, { params: { id, number } })),
    ),
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
  }),
});

export const {
  useListArticlesQuery,
  useListArticlePagesInfiniteQuery,
  useReadArticleQuery,
  useCreateArticleMutation,
  useDraftArticleFromTicketMutation,
  useUpdateArticleMutation,
  useReadArticleVersionQuery,
  useAddArticlePictureMutation,
} = articlesApi;
