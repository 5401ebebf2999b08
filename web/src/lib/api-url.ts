import type { ApiRequest } from './api-request';

/** The URL of a request, for `fetch` and for what the browser loads itself: streams, files and pages in frames. */
export function urlOf({ path, query = {} }: Pick<ApiRequest, 'path' | 'query'>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') params.set(name, String(value));
  const search = params.toString();
  return `/api/v1${path}${search ? `?${search}` : ''}`;
}
