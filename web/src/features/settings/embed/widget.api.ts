import { readBranding, readWidgetSettings, rotateWidgetSecret, saveWidgetSettings } from '@tandem/contracts/endpoints';
import { api } from '../../../app/api';
import { endpoint } from '../../../app/endpoint';
import { call, type BodyOf } from '../../../lib/call';

/** Callers report the error themselves. */
const nothing = () => undefined;

const widgetApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Rarely changed, and mostly on this page: refetch on every visit.
    readWidgetSettings: build.query({ ...endpoint(() => call(readWidgetSettings)), keepUnusedDataFor: 0 }),
    saveWidgetSettings: build.mutation({
      ...endpoint((body: BodyOf<typeof saveWidgetSettings>) => call(saveWidgetSettings, { body })),
      onQueryStarted: async (_body, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(nothing);
        if (answer) dispatch(widgetApi.util.updateQueryData('readWidgetSettings', undefined, () => answer.data));
      },
    }),
    rotateWidgetSecret: build.mutation({
      ...endpoint(() => call(rotateWidgetSecret)),
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(nothing);
        if (answer)
          dispatch(widgetApi.util.updateQueryData('readWidgetSettings', undefined, (settings) => void (settings.has_secret = true)));
      },
    }),
    readWidgetColors: build.query({
      ...endpoint(() => call(readBranding)),
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useReadWidgetSettingsQuery, useSaveWidgetSettingsMutation, useRotateWidgetSecretMutation, useReadWidgetColorsQuery } =
  widgetApi;
