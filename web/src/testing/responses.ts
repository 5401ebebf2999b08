import { problems, type ProblemCode } from '@tandem/contracts/values';
import { HttpResponse, type DefaultBodyType } from 'msw';
import { backend } from './backend';

export const api = (path: string) => `http://localhost/api/v1${path}`;

/** A response in the documented envelope. */
export const answer = (data: unknown, options: { status?: number; pagination?: object } = {}) =>
  HttpResponse.json(
    { success: true, data, meta: { request_id: 'r', ...(options.pagination ? { pagination: options.pagination } : {}) } },
    { status: options.status ?? 200 },
  );

/** A problem response as the gateway sends it. */
export const refuse = (code: ProblemCode, more: object = {}, headers: Record<string, string> = {}) =>
  HttpResponse.json(
    { success: false, type: 'about:blank', title: problems[code].title, status: problems[code].status, code, request_id: 'r', ...more },
    { status: problems[code].status, headers: { 'content-type': 'application/problem+json', ...headers } },
  );

export const signedIn = <T extends DefaultBodyType>(work: () => HttpResponse<T> | Promise<HttpResponse<T>>) =>
  backend.session ? work() : refuse('session.required');
