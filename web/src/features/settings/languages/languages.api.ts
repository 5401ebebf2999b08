import type { CustomerText, OrganizationLanguages, TicketCategory } from '@tandem/contracts';
import { deleteWording, listWording, previewWording, readOrganization, saveWording, updateOrganization } from '@tandem/contracts/endpoints';
import type { Language } from '@tandem/contracts/values';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call } from '../../../lib/call';

export type TextAddress = Pick<CustomerText, 'part' | 'language' | 'key'>;
const addressOf = ({ part, language, key }: TextAddress) => ({ part, language, key });
/** The response, or undefined if the request failed: its caller reports the error. */
const done = <T>(fulfilled: Promise<T>): Promise<T | undefined> => fulfilled.catch(() => undefined);

const languagesApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    readLanguages: build.query({
      ...endpoint((id: string) => call(readOrganization, { params: { id } })),
      providesTags: ['Organization'],
    }),
    saveLanguages: build.mutation({
      ...endpoint(({ id, languages }: { id: string; languages: OrganizationLanguages }) =>
        call(updateOrganization, { params: { id }, body: { languages } }),
      ),
      // The session contains the default language.
      invalidatesTags: ['Session'],
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(languagesApi.util.updateQueryData('readLanguages', id, () => answer.data));
      },
    }),
    saveCategories: build.mutation({
      ...endpoint(({ id, categories }: { id: string; categories: TicketCategory[] }) =>
        call(updateOrganization, { params: { id }, body: { categories } }),
      ),
      onQueryStarted: async ({ id }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (answer) dispatch(languagesApi.util.updateQueryData('readLanguages', id, () => answer.data));
      },
    }),
    listWording: build.query({
      ...endpoint((language: Language) => call(listWording, { params: { language } })),
      providesTags: ['Wording'],
    }),
    previewWording: build.query({
      ...endpoint(({ text, ...address }: TextAddress & { text: string }) =>
        call(previewWording, { params: addressOf(address), body: { text } }),
      ),
      keepUnusedDataFor: 60,
    }),
    /** Null restores the original. */
    saveWording: build.mutation({
      ...endpoint(({ text, ...address }: TextAddress & { text: string | null }) =>
        text === null
          ? call(deleteWording, { params: addressOf(address) })
          : call(saveWording, { params: addressOf(address), body: { text } }),
      ),
      onQueryStarted: async ({ part, language, key }, { dispatch, queryFulfilled }) => {
        const answer = await done(queryFulfilled);
        if (!answer) return;
        dispatch(
          languagesApi.util.updateQueryData('listWording', language, (texts) =>
            texts.map((each) => (each.part === part && each.key === key ? answer.data : each)),
          ),
        );
      },
    }),
  }),
});

export const {
  useReadLanguagesQuery,
  useSaveLanguagesMutation,
  useSaveCategoriesMutation,
  useListWordingQuery,
  usePreviewWordingQuery,
  useSaveWordingMutation,
} = languagesApi;
