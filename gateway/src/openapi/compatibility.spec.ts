import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { breachesOf, compacted, type ApiDocument } from '../../test/api-breaches';
import { version } from '../../package.json';
import { openApiDocument } from './openapi';

const folder = join(__dirname, 'released');
const current = compacted(openApiDocument('public', { serverUrl: 'https://tandem.example', cookieName: 'tandem_access' }));
const own = join(folder, `v${version}.json`);
// A release keeps the document that it was published with: delete the file to publish another one under the same version.
if (process.env['UPDATE_DOCS'] && !existsSync(own)) writeFileSync(own, `${JSON.stringify(current)}\n`);

/** Versions with the same part must be compatible: the major version, or 0 and the minor one. */
const compatibleWith = (one: string) =>
  one
    .split('.')
    .slice(0, one.startsWith('0.') ? 2 : 1)
    .join('.');
const released = readdirSync(folder).map((name) => name.slice(1, -'.json'.length));

it('keeps the document of this version', () => expect(released).toContain(version));
it.each(released.filter((one) => compatibleWith(one) === compatibleWith(version)))('keeps what version %s promised', (one) => {
  // See docs/api-changelog.md for how to change the API anyway.
  expect(breachesOf(JSON.parse(readFileSync(join(folder, `v${one}.json`), 'utf8')) as ApiDocument, current)).toEqual([]);
});

type Json = Record<string, unknown>;
const text = { type: 'string' };
const object = (properties: Json, required: string[] = Object.keys(properties)) => ({ type: 'object', properties, required });
const strict = (properties: Json, required: string[] = []) => ({ ...object(properties, required), additionalProperties: false });
const json = (schema: Json) => ({ content: { 'application/json': { schema } } });
/** A document with one operation, one webhook and one named schema. */
function api(
  change: { body?: Json; query?: Json; response?: Json; operation?: Json; event?: Json; schemas?: Json; required?: boolean } = {},
): ApiDocument {
  const { body = strict({ name: text }, ['name']), query = text, response = object({ id: text }), event = object({ id: text }) } = change;
  const operation = {
    parameters: [{ name: 'sort', in: 'query', schema: query, required: change.required ?? false }],
    requestBody: { required: true, ...json(body) },
    responses: { '200': json(response), '4XX': json({}) },
    security: [{ token: ['tickets:write'] }, { session: [] }],
    ...change.operation,
  };
  return {
    paths: { '/things': { post: operation } },
    webhooks: { 'thing.made': { post: { requestBody: json(event), responses: {} } } },
    components: { schemas: change.schemas ?? {} },
  } as unknown as ApiDocument;
}
const listed = (...values: string[]) => ({ type: 'string', enum: values });

describe('a breach', () => {
  const at = 'POST /things';
  const ref = { $ref: '#/components/schemas/Thing' };
  it.each<[string, ApiDocument, ApiDocument, string]>([
    ['a removed path', api(), { ...api(), paths: {} }, `${at}: removed`],
    ['a removed operation', api(), { ...api(), paths: { '/things': {} } }, `${at}: removed`],
    ['a removed webhook', api(), { ...api(), webhooks: {} }, 'webhook thing.made: removed'],
    ['a removed member of a response', api(), api({ response: object({}) }), `${at}: response.id: removed`],
    ['a removed member of an event', api(), api({ event: object({}) }), 'webhook thing.made: body.id: removed'],
    ['a member of a response that can be missing', api(), api({ response: object({ id: text }, []) }), `${at}: response.id: can be missing`],
    ['a member that can be null', api(), api({ response: object({ id: { type: ['string', 'null'] } }) }), `${at}: response.id: type null`],
    ['another type in a response', api(), api({ response: object({ id: { type: 'integer' } }) }), `${at}: response.id: type integer`],
    ['another type in a list', api({ response: { type: 'array', items: text } }), api({ response: { type: 'array', items: { type: 'number' } } }), `${at}: response: type number`],
    ['another type in a request', api(), api({ body: strict({ name: { type: 'number' } }, ['name']) }), `${at}: body.name: type string`],
    ['null, which is no longer accepted', api({ body: strict({ name: { type: ['string', 'null'] } }) }), api({ body: strict({ name: text }) }), `${at}: body.name: type null`],
    ['a new required member', api(), api({ body: strict({ name: text, size: text }, ['name', 'size']) }), `${at}: body.size: is required`],
    ['a member that is required now', api({ body: strict({ name: text }) }), api(), `${at}: body.name: is required`],
    ['a removed member of a request', api(), api({ body: strict({}) }), `${at}: body.name: removed`],
    ['a removed value of a request', api({ query: listed('a', 'b') }), api({ query: listed('a') }), `${at}: query parameter sort: value "b" removed`],
    ['values instead of any text', api(), api({ query: listed('a') }), `${at}: query parameter sort: accepts only some values`],
    ['a smaller maximum', api({ query: { type: 'string', maxLength: 9 } }), api({ query: { type: 'string', maxLength: 8 } }), `${at}: query parameter sort: smaller maxLength`],
    ['a new maximum', api({ query: { type: 'integer' } }), api({ query: { type: 'integer', maximum: 8 } }), `${at}: query parameter sort: smaller maximum`],
    ['a greater minimum', api({ query: { type: 'integer', minimum: 1 } }), api({ query: { type: 'integer', minimum: 2 } }), `${at}: query parameter sort: greater minimum`],
    ['a new format', api(), api({ query: { type: 'string', format: 'uuid' } }), `${at}: query parameter sort: other format`],
    ['an option that is no longer accepted', api({ query: { anyOf: [text, { type: 'integer' }] } }), api(), `${at}: query parameter sort: type integer`],
    ['a new option in a response', api(), api({ response: { anyOf: [object({ id: text }), object({})] } }), `${at}: response.id: removed`],
    ['a parameter that is required now', api(), api({ required: true }), `${at}: query parameter sort is required`],
    ['a removed parameter', api(), api({ operation: { parameters: [] } }), `${at}: query parameter sort removed`],
    ['another status of a success', api(), api({ operation: { responses: { '201': json(object({ id: text })) } } }), `${at}: response 200 application/json removed`],
    ['another permission', api(), api({ operation: { security: [{ token: ['tickets:read'] }] } }), `${at}: needs another permission than tickets:write`],
    ['an operation that tokens can no longer call', api(), api({ operation: { security: [{ session: [] }] } }), `${at}: needs another permission than tickets:write`],
    ['a credential for everyone', api({ operation: { security: [] } }), api(), `${at}: needs a credential`],
    ['a breach in a named schema', api({ response: ref, schemas: { Thing: object({ id: text }) } }), api({ response: ref, schemas: { Thing: object({}) } }), `${at}: response.id: removed`],
    ['a member removed from a part of a schema', api(), api({ response: { allOf: [object({ name: text }), object({ size: text })] } }), `${at}: response.id: removed`],
    ['a member that only a part of a request accepted', api({ body: { allOf: [object({ name: text, size: text }, [])], unevaluatedProperties: false } }), api({ body: { allOf: [object({ name: text }, [])], unevaluatedProperties: false } }), `${at}: body.size: removed`],
  ])('%s', (_what, before, after, breach) => expect(breachesOf(before, after)).toEqual([breach])); // prettier-ignore
});

describe('no breach', () => {
  const ref = { $ref: '#/components/schemas/Thing' };
  const self = (more: Json) => ({ Thing: object({ id: text, ...more, parent: { $ref: '#/components/schemas/Thing' } }) });
  it.each<[string, ApiDocument, ApiDocument]>([
    ['the same document', api(), api()],
    ['a new operation', { ...api(), paths: {} }, api()],
    ['a new webhook', { ...api(), webhooks: {} }, api()],
    ['a new member of a response', api(), api({ response: object({ id: text, more: text }) })],
    ['a new value in a response', api({ response: listed('a') }), api({ response: listed('a', 'b') })],
    ['a new optional member of a request', api(), api({ body: strict({ name: text, size: text }, ['name']) })],
    ['a member that is optional now', api(), api({ body: strict({ name: text }) })],
    ['a new value of a request', api({ query: listed('a') }), api({ query: listed('a', 'b') })],
    ['a greater maximum', api({ query: { type: 'string', maxLength: 8 } }), api({ query: { type: 'string', maxLength: 9 } })],
    ['an integer where numbers were', api({ response: { type: 'number' } }), api({ response: { type: 'integer' } })],
    ['a schema that got a name', api(), api({ response: { $ref: '#/components/schemas/Thing' }, schemas: { Thing: object({ id: text }) } })],
    ['a schema that contains itself', api({ response: { $ref: '#/components/schemas/Thing' }, schemas: self({}) }), api({ response: { $ref: '#/components/schemas/Thing' }, schemas: self({ more: text }) })],
    ['a schema that got a base', api({ response: object({ id: text, name: text }) }), api({ response: { allOf: [ref, object({ name: text })] }, schemas: { Thing: object({ id: text }) } })],
    ['a request that got a base', api({ body: strict({ name: text }) }), api({ body: { allOf: [ref], unevaluatedProperties: false }, schemas: { Thing: object({ name: text }, []) } })],
  ])('%s', (_what, before, after) => expect(breachesOf(before, after)).toEqual([])); // prettier-ignore
});
