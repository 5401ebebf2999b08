import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { SandboxRequest } from '../http';
import { paramsOf } from './route';

type Schema = Record<string, unknown>;

/** The format of one call, with names and schemas as in OpenAPI. */
export interface Operation {
  path: string;
  params: Record<string, Schema>;
  query: Record<string, Schema>;
  /** Whether `Content-Type: application/json` is required even without a body, as in some calls of the reference. */
  wantsContentType: boolean;
  body?: Schema;
}

export interface CheckSource {
  name: 'clickup-openapi' | 'own-schemas';
  /** `POST /v2/list/{list_id}/task` → operation. */
  operations: Map<string, Operation>;
  /** The document to which the schemas' references point. */
  document?: object;
}

/** Finds what is wrong with a request. Compiles a call's schemas at its first use. */
export class RequestCheck {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false, logger: false });
  private readonly compiled = new Map<Schema, ValidateFunction>();
  private readonly byShape = new Map<string, Operation[]>();

  constructor(readonly source: CheckSource) {
    addFormats(this.ajv);
    if (source.document) this.ajv.addSchema(source.document, 'reference');
    for (const [key, operation] of source.operations) {
      const shape = shapeOf(key.split(' ')[0] ?? '', operation.path);
      this.byShape.set(shape, [...(this.byShape.get(shape) ?? []), operation]);
    }
  }

  /** The first fault of a request with this path (without `/api`), or undefined. */
  fault({ method, url, headers, body }: SandboxRequest, path: string): string | undefined {
    const [operation, params] = this.find(method, path);
    if (!operation) return `there is no ${method} ${path}`;
    const type = headers['content-type']?.split(';')[0]?.trim();
    if (operation.wantsContentType && type !== 'application/json') return 'header Content-Type must be application/json';
    return (
      this.faultOfParams(operation, params) ??
      this.faultOfQuery(operation, url.searchParams) ??
      (operation.body ? this.faultOfBody(operation.body, type, body) : undefined)
    );
  }

  private find(method: string, path: string): [Operation, Record<string, string>] | [undefined, undefined] {
    for (const operation of this.byShape.get(shapeOf(method, path)) ?? []) {
      const params = paramsOf(operation.path, path);
      if (params) return [operation, params];
    }
    return [undefined, undefined];
  }

  private faultOfParams({ params: schemas }: Operation, params: Record<string, string> = {}): string | undefined {
    return firstOf(Object.entries(schemas), ([name, schema]) => this.check(schema, typed(params[name] ?? '', schema), `path ${name}`));
  }

  private faultOfQuery({ query: schemas }: Operation, query: URLSearchParams): string | undefined {
    return firstOf([...new Set(query.keys())], (name) => {
      const schema = schemas[name];
      if (!schema) return `query ${name} is unknown`;
      const values = query.getAll(name);
      if (schema.type === 'array')
        return this.check(
          schema,
          values.map((value) => typed(value, schema.items as Schema)),
          `query ${name}`,
        );
      return values.length > 1 ? `query ${name} appears twice` : this.check(schema, typed(values[0] ?? '', schema), `query ${name}`);
    });
  }

  private faultOfBody(schema: Schema, type: string | undefined, body: Buffer): string | undefined {
    if (type !== 'application/json') return 'header Content-Type must be application/json';
    try {
      return this.check(schema, JSON.parse(body.toString('utf8')), 'body');
    } catch {
      return 'body is not JSON';
    }
  }

  private check(schema: Schema, value: unknown, what: string): string | undefined {
    let validate = this.compiled.get(schema);
    if (!validate) this.compiled.set(schema, (validate = this.ajv.compile(schema)));
    if (validate(value)) return undefined;
    const [error] = validate.errors ?? [];
    return `${what}${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`;
  }
}

/** The method and the number of path segments: enough to find the few calls that may match. */
const shapeOf = (method: string, path: string): string => `${method} ${path.split('/').length}`;

/** Converts a path or query string to the type that its schema expects; unchanged if that is impossible, so that the schema rejects it. */
function typed(text: string, { type }: Schema): unknown {
  if ((type === 'number' || type === 'integer') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

function firstOf<T>(values: T[], fault: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const found = fault(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
