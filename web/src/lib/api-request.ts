import type { Pagination } from '@tandem/contracts';
import type { ApiProblem } from './problem';

export interface Resend {
  /** Name of the request in the list of unsent requests. */
  label: string;
  /** The page stores the request and sends it again after a reload; otherwise the browser asks before the page is left. */
  isStored?: boolean;
}
export interface ApiRequest<Result = unknown> {
  /** Path below `/api/v1`, with its parameters filled in. */
  path: string;
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The request outlives the page. */
  keepalive?: boolean;
  /** Retried while the server cannot be reached (`resend.ts`). */
  resend?: Resend;
  /** If the rate limit refuses the request, do not wait and repeat it. */
  isOptional?: boolean;
  /** Never set: the type of the response's data. */
  result?: Result;
}
export type ApiAnswer<Result = unknown> =
  | { data: Result; pagination?: Pagination; problem?: undefined }
  | { problem: ApiProblem; data?: undefined };
