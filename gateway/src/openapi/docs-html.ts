import type { Json } from './schemas';

export const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
export const code = (text: string) => `<code>${escape(text)}</code>`;
/** Plain text with `code` in backticks. */
export const prose = (text: string) =>
  text
    .split(/\n\n+/)
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('');
export const inline = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** JSON with its names and texts marked for the style sheet. */
export function json(value: unknown): string {
  const text = escape(JSON.stringify(value, null, 2));
  return text.replace(/(&#34;(?:(?!&#34;).)*?&#34;)(:)?/g, (_, string: string, colon?: string) =>
    colon === undefined ? `<i>${string}</i>` : `<b>${string}</b>:`,
  );
}

export const nameOf = (ref: unknown) => String(ref).split('/').at(-1)!;
export const objectId = (name: string) => `object-${name}`;
const objectLink = (ref: unknown) => `<a href="#${objectId(nameOf(ref))}">${nameOf(ref)}</a>`;
const formats: Record<string, string> = { uuid: 'ID', 'date-time': 'time', email: 'email', date: 'date', uri: 'URL' };

/** The type of a value in a few words, as HTML. */
export function typeOf(schema: Json): string {
  if (schema.$ref !== undefined) return objectLink(schema.$ref);
  const options = (schema.anyOf ?? schema.oneOf ?? schema.allOf) as Json[] | undefined;
  if (options) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined) return 'one of';
  const types = [schema.type].flat().filter((type) => type !== undefined) as string[];
  return types.map((type) => typeName(type, schema)).join(' or ') || 'any value';
}

function typeName(type: string, schema: Json): string {
  if (type === 'array') return `list of ${typeOf((schema.items ?? {}) as Json)}`;
  if (type === 'string' && typeof schema.format === 'string') return formats[schema.format] ?? schema.format;
  if (type === 'object' && schema.properties === undefined) return 'object with any names';
  return { string: 'text', integer: 'integer', boolean: 'true or false', null: 'null' }[type] ?? type;
}

/** The limits of a value, as HTML. */
function limitsOf(schema: Json): string {
  const { enum: values, default: value, maxLength, maxItems, minimum, maximum } = schema;
  const limits = [
    ...(Array.isArray(values) ? [values.map((each) => code(String(each))).join(' ')] : []),
    ...(typeof maxLength === 'number' ? [`at most ${maxLength.toLocaleString('en')} characters`] : []),
    ...(typeof maxItems === 'number' ? [`at most ${maxItems.toLocaleString('en')}`] : []),
    ...(typeof minimum === 'number' && typeof maximum === 'number' ? [`${minimum} to ${maximum.toLocaleString('en')}`] : []),
    ...(value !== undefined && !(Array.isArray(value) && value.length === 0) ? [`default ${code(JSON.stringify(value))}`] : []),
  ];
  return limits.join(' · ');
}

interface Member {
  name: string;
  schema: Json;
  description?: string | undefined;
  /** `required`, or the place of a parameter. */
  note?: string | undefined;
}

export function memberList(members: readonly Member[]): string {
  const shown = members.map(({ name, schema, description, note }) => {
    const inner = innerMembers(schema);
    const limits = limitsOf(schema);
    const text = description ?? (schema.description as string | undefined);
    return `<div><dt>${code(name)} <span>${typeOf(schema)}</span>${note ? ` <em>${note}</em>` : ''}</dt>
<dd>${text ? inline(text) : ''}${limits === '' ? '' : ` <small>${limits}</small>`}${inner === '' ? '' : `<details><summary>Members</summary>${inner}</details>`}</dd></div>`;
  });
  return `<dl>${shown.join('\n')}</dl>`;
}

/** The members of an object, or of the items of a list. Objects with a name are shown once, in their own section. */
function innerMembers(schema: Json): string {
  if (schema.items !== undefined) return innerMembers(schema.items as Json);
  const options = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (options) return options.map(innerMembers).find((members) => members !== '') ?? '';
  return schema.properties === undefined ? '' : membersOf(schema);
}

/** The members of an object schema. */
export function membersOf(schema: Json): string {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, Json>; required?: string[] };
  const entries = Object.entries(properties);
  if (entries.length === 0) return '<p>No members.</p>';
  const everyIsRequired = entries.every(([name]) => required.includes(name));
  return memberList(
    entries.map(([name, member]) => ({ name, schema: member, note: required.includes(name) && !everyIsRequired ? 'required' : undefined })),
  );
}
