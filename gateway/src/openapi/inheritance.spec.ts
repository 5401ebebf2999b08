import { flattened, withBases } from './inheritance';
import type { Json } from './schemas';

const text = { type: 'string' };
const object = (...names: string[]): Json => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
  required: names,
});
const members = ['a', 'b', 'c', 'd', 'e'];
const base = object(...members);
const refToBase = { $ref: '#/components/schemas/Base' };

it('refers to the base of an object that has all of its members', () => {
  const larger = { description: 'More', ...object(...members, 'f') };
  expect(withBases({ Base: base, Larger: larger })).toEqual({
    Base: base,
    Larger: { description: 'More', allOf: [refToBase, object('f')] },
  });
});

it.each([
  ['has another type of a member', { ...object(...members, 'f'), properties: { ...(object(...members, 'f').properties as Json), a: {} } }],
  ['may lack a member', { ...object(...members, 'f'), required: ['f'] }],
  ['refuses other members', { ...object(...members, 'f'), additionalProperties: false }],
])('repeats the members of an object that %s', (_what, larger) => {
  expect(withBases({ Base: base, Larger: larger })).toEqual({ Base: base, Larger: larger });
});

it('refers to the schema of responses if requests have the same members and no others', () => {
  const input = { ...base, additionalProperties: false };
  expect(withBases({ Base: base, BaseInput: input }).BaseInput).toEqual({ allOf: [refToBase], unevaluatedProperties: false });
  const smaller = { ...object('a'), additionalProperties: false };
  expect(withBases({ Base: base, BaseInput: smaller }).BaseInput).toEqual(smaller);
});

it('reads a schema with its bases as one, in which a later part narrows a member', () => {
  const schemas: Record<string, Json> = { Base: base, Derived: { allOf: [refToBase, object('f')] } };
  const narrowed = {
    allOf: [{ $ref: '#/components/schemas/Derived' }, { properties: { a: { const: 'x' } } }],
    unevaluatedProperties: false,
  };
  const whole = object(...members, 'f');
  expect(flattened(narrowed, (ref) => schemas[ref.split('/').at(-1)!]!)).toEqual({
    ...whole,
    properties: { ...(whole.properties as Json), a: { const: 'x' } },
    additionalProperties: false,
  });
});
