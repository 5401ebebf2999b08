import type { Branding, OutputOf, rotateWidgetSecret, SaveWidgetSettings, WidgetSettings } from '@tandem/contracts';
import { api } from '../../../app/api';

const path = '/widget-settings';
/** Callers report the error themselves. */
const nothing = () => undefined;

const widgetApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    // Rarely changed, and mostly here: refetch on every visit.
    readWidgetSettings: build.query<WidgetSettings, void>({ query: () => ({ path }), keepUnusedDataFor: 0 }),
    saveWidgetSettings: build.mutation<WidgetSettings, SaveWidgetSettings>({
      query: (body) => ({ path, method: 'PUT', body }),
      onQueryStarted: async (_body, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(nothing);
        if (answer) dispatch(widgetApi.util.updateQueryData('readWidgetSettings', undefined, () => answer.data));
      },
    }),
    rotateWidgetSecret: build.mutation<OutputOf<typeof rotateWidgetSecret>, void>({
      query: () => ({ path: `${path}/rotate-secret`, method: 'POST', body: {} }),
      onQueryStarted: async (_nothing, { dispatch, queryFulfilled }) => {
        const answer = await queryFulfilled.catch(nothing);
        if (answer)
          dispatch(widgetApi.util.updateQueryData('readWidgetSettings', undefined, (settings) => void (settings.has_secret = true)));
      },
    }),
    readWidgetColors: build.query<Pick<Branding, 'primary_color' | 'secondary_color'>, void>({
      query: () => ({ path: '/branding' }),
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useReadWidgetSettingsQuery, useSaveWidgetSettingsMutation, useRotateWidgetSecretMutation, useReadWidgetColorsQuery } =
  widgetApi;
