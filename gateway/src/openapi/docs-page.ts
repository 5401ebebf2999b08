import { problems } from '@tandem/contracts';
import { apiBase } from '../routes/for-operation';
import { operationsOf, problemsOf } from './openapi';

type Json = Record<string, unknown>;
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const code = (text: string) => `<code>${escape(text)}</code>`;
const pretty = (value: unknown) => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`;

/** Renders a body or response: the schema of its first media type, or its description if it has none (binary content). */
function shown(part: { description?: string; content?: Record<string, { schema?: unknown }> }): string {
  const schema = Object.values(part.content ?? {})[0]?.schema;
  return schema === undefined ? `<p>${escape(part.description ?? '')}</p>` : pretty(schema);
}

function parameterTable(parameters: Json[]): string {
  if (parameters.length === 0) return '';
  const named = parameters.filter(({ name }) => name !== undefined);
  const rows = named.map(
    (p) =>
      `<tr><td>${code(String(p.name))}</td><td>${p.in as string}${p.required ? ', required' : ''}</td><td>${code(JSON.stringify(p.schema))}</td></tr>`,
  );
  return `<h4>Parameters</h4><table><thead><tr><th>Name</th><th>In</th><th>Schema</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** The API document as one plain page: no scripts and no external resources. */
export function docsPage(document: Json): string {
  const paths = document.paths as Record<string, Record<string, Json>>;
  const sections = operationsOf('public').map((op) => {
    const object = paths[op.path.replace(/:(\w+)/g, '{$1}')]![op.method.toLowerCase()]!;
    const success = (object.responses as Record<string, Parameters<typeof shown>[0]>)[String(op.status)]!;
    const body = object.requestBody as Parameters<typeof shown>[0] | undefined;
    const failures = problemsOf(op).map(
      (name) => `<tr><td>${problems[name].status}</td><td>${code(name)}</td><td>${escape(problems[name].title)}</td></tr>`,
    );
    return `<details id="${op.name}"><summary><span class="method">${op.method}</span> ${code(apiBase + op.path)} <span>${escape(op.summary)}</span></summary>
<p>Who may call: ${code(op.allow === 'gateway' ? 'signature' : op.allow)} · limit: ${code(op.limit)}</p>
${parameterTable((object.parameters ?? []) as Json[])}
${body === undefined ? '' : `<h4>Body</h4>${shown(body)}`}
<h4>Answer ${op.status}</h4>${shown(success)}
<h4>Problems</h4><table><thead><tr><th>Status</th><th>Code</th><th>Title</th></tr></thead><tbody>${failures.join('')}</tbody></table></details>`;
  });
  return page(
    'Tandem API',
    `<p>Everything below ${code(apiBase)}. Successes are ${code('{ success, data, meta }')}, failures ${code('application/problem+json')} with <a href="/api/docs/errors">a stable code</a>. Machines read <a href="${apiBase}/openapi.json">the OpenAPI document</a>.</p>
${sections.join('\n')}`,
  );
}

/** Lists the meaning of each code; the `type` of a problem response links here. */
export function errorsPage(): string {
  const rows = Object.entries(problems).map(
    ([name, { status, title }]) => `<tr id="${name}"><td>${status}</td><td>${code(name)}</td><td>${escape(title)}</td></tr>`,
  );
  return page(
    'Problems',
    `<p><a href="/api/docs">Tandem API</a></p><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
  );
}

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="stylesheet" href="/api/docs/style.css"></head>
<body><main><h1>${title}</h1>
${body}</main></body></html>`;

export const docsStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem}
details{border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}
summary{cursor:pointer;overflow-wrap:anywhere}
.method{display:inline-block;min-width:4rem;font-weight:700}
pre{overflow:auto;max-height:24rem;padding:.75rem;border-radius:.5rem;background:color-mix(in srgb,currentColor 8%,transparent);font-size:.85rem}
table{border-collapse:collapse;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0}
`;
