import type { CallOf, Endpoint, Operation, OutputOf, Page } from '@tandem/contracts';
import type { ApiRequest } from './api-request';

/** The `data` of the response; for a paginated operation the items of one page. */
type ResultOf<Op extends Operation> = OutputOf<Op> extends Page<infer Item> ? Item[] : OutputOf<Op>;
type Parts<Op extends Operation> = Required<CallOf<Op>>;
type OptionalParts<Op extends Operation> = { [Part in keyof Parts<Op>]: {} extends Parts<Op>[Part] ? Part : never }[keyof Parts<Op>];
type Options = Omit<ApiRequest, 'path' | 'method' | 'query' | 'body' | 'result'>;
/** The parameters, query and body that the operation declares, and options of the request. */
type Input<Op extends Operation> = Omit<Parts<Op>, OptionalParts<Op>> & Partial<Pick<Parts<Op>, OptionalParts<Op>>> & Options;

type OperationOf<E> = E extends Endpoint<infer Op> ? Op : never;
/** The body of an operation, from its endpoint: `BodyOf<typeof createTicket>`. */
export type BodyOf<E> = Parts<OperationOf<E>> extends { body: infer Body } ? Body : never;
/** The query of an operation, from its endpoint. */
export type QueryOf<E> = Parts<OperationOf<E>> extends { query: infer Query } ? Query : never;
/** The result of an operation, from its endpoint: `Result<typeof readTicket>`. */
export type Result<E> = ResultOf<OperationOf<E>>;

/** The request of an operation. The contracts define its path, parameters, query, body and result. */
export function call<Op extends Operation>(
  endpoint: Endpoint<Op>,
  ...[input]: {} extends Input<Op> ? [input?: Input<Op>] : [input: Input<Op>]
): ApiRequest<ResultOf<Op>> {
  const { params, query, body, ...options } = (input ?? {}) as Options & UntypedParts;
  const [method, template] = endpoint.split(' ') as [NonNullable<ApiRequest['method']>, string];
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params?.[name])));
  const content = body ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
  return { path, method, ...options, ...(query ? { query } : {}), ...(content === undefined ? {} : { body: content }) };
}
interface UntypedParts {
  params?: Record<string, unknown>;
  query?: ApiRequest['query'];
  body?: unknown;
}
