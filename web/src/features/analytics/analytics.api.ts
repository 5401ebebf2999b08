import { exportAnalytics, readAnalytics, readAnalyticsByField, readHelpReport } from '@tandem/contracts/endpoints';
import { api } from '../../app/api';
import { endpoint } from '../../app/endpoint';
import { urlOf } from '../../lib/api-url';
import { call } from '../../lib/call';
import { queryOf, type AnalyticsView } from './analytics-view';

const analyticsApi = api.injectEndpoints({
  overrideExisting: 'throw',
  endpoints: (build) => ({
    /** The browser sends the entity tag of its last response, so that unchanged figures cost a 304. */
    readAnalytics: build.query({
      ...endpoint((view: AnalyticsView) => call(readAnalytics, { query: queryOf(view) })),
      providesTags: ['Analytics'],
    }),
    readAnalyticsByField: build.query({
      ...endpoint(({ key, view }: { key: string; view: AnalyticsView }) =>
        call(readAnalyticsByField, { query: { ...queryOf(view), key } }),
      ),
      providesTags: ['Analytics'],
    }),
    /** No event reports that a reader opened an article. */
    readHelpReport: build.query({
      ...endpoint((days: { from: string; to: string }) => call(readHelpReport, { query: days })),
      keepUnusedDataFor: 30,
    }),
  }),
});

export const { useReadAnalyticsQuery, useReadAnalyticsByFieldQuery, useReadHelpReportQuery } = analyticsApi;

/** Reads figures before a component subscribes to them. */
export const readFirstFigures = (view: AnalyticsView) => analyticsApi.endpoints.readAnalytics.initiate(view, { subscribe: false });

/** Address of the page's tickets as a CSV file. */
export const analyticsCsvAddress = (view: AnalyticsView): string => urlOf(call(exportAnalytics, { query: queryOf(view) }));
