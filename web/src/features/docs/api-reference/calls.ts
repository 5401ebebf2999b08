/** The documented calls and their samples. No imports: the test that runs them in a terminal loads this file without a bundler. */

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export interface Call {
  /** The id of its section, and the name of its recorded response. */
  id: string;
  title: string;
  method: 'GET' | 'POST' | 'PATCH';
  /** The path, with the ids as `{ticketId}` and `{organizationId}`. */
  route: string;
  query?: Record<string, string>;
  body?: Record<string, Json>;
  /** Sends an `Idempotency-Key`. */
  idempotent?: boolean;
  permission: string;
  text: string;
  /** The most important members of the body or the query. */
  inputs?: [name: string, type: string, meaning: string][];
}

export const calls: readonly Call[] = [
  {
    id: 'create-ticket',
    title: 'Create a ticket',
    method: 'POST',
    route: '/tickets',
    body: {
      subject: 'The parcel has not arrived',
      description: 'Order 1042 was sent on Monday.',
      customer_email: 'carla@example.com',
      customer_name: 'Carla Gomez',
      priority: 'high',
      tags: ['shipping'],
    },
    idempotent: true,
    permission: 'tickets:write',
    text: 'Creates a ticket for a customer. Its channel is “api”.',
    inputs: [
      ['subject', 'string, required', 'At most 255 characters'],
      ['customer_email', 'string, required', 'The customer gets updates at this address'],
      ['description', 'string', 'The customer’s message'],
      ['customer_name', 'string', 'Shown next to the address'],
      ['priority', 'low, medium, high, urgent', 'Your organization’s default priority if omitted'],
      ['category', 'string', 'Any text'],
      ['tags', 'list of strings', 'At most 20'],
      ['external_id', 'string', 'Your own id for the ticket, unique in your organization'],
    ],
  },
  {
    id: 'list-tickets',
    title: 'List tickets',
    method: 'GET',
    route: '/tickets',
    query: { status: 'open,in_progress', sort: 'newest', limit: '20' },
    permission: 'tickets:read',
    text: 'Returns the tickets that match all filters, one page at a time. Separate several values with commas.',
    inputs: [
      ['status', 'list', 'open, in_progress, waiting_for_customer, resolved, closed'],
      ['priority', 'list', 'low, medium, high, urgent'],
      ['assignee', 'string', 'A member’s id, or unassigned'],
      ['tag', 'list', 'Any of these tags. Escape a comma within a tag with a backslash: a\\, b'],
      ['category', 'string', 'Exactly this category'],
      ['customer_email', 'string', 'All tickets of one customer'],
      ['external_id', 'string', 'The ticket with this id from your system'],
      ['search', 'string', 'Words in the ticket, its comments and the customer’s name'],
      ['created_from, created_to', 'date or time', 'When the ticket was created; created_to is exclusive'],
      ['updated_since', 'date or time', 'Tickets updated at or after this time'],
      ['sort', 'string', 'newest, oldest, updated_oldest and more; newest if omitted'],
      ['limit', '1 to 100', 'Tickets per page; 20 if omitted'],
    ],
  },
  {
    id: 'read-ticket',
    title: 'Read a ticket',
    method: 'GET',
    route: '/tickets/{ticketId}',
    permission: 'tickets:read',
    text: 'Returns one ticket with all its fields. The ETag header is its version.',
  },
  {
    id: 'update-ticket',
    title: 'Update a ticket',
    method: 'PATCH',
    route: '/tickets/{ticketId}',
    body: { status: 'in_progress', priority: 'urgent' },
    permission: 'tickets:write',
    text: 'Changes the fields that you send and leaves the others unchanged.',
    inputs: [
      ['status', 'string', 'open, in_progress, waiting_for_customer, resolved, closed'],
      ['priority', 'string', 'low, medium, high, urgent'],
      ['assigned_to', 'member’s id or null', 'null unassigns the ticket'],
      ['subject, description, category, tags', '', 'As when you create a ticket; tags replace the current ones'],
      ['customer_name, customer_email', 'string', 'Who the ticket belongs to'],
      ['external_id', 'string or null', 'Your own id for the ticket'],
    ],
  },
  {
    id: 'add-comment',
    title: 'Add a comment',
    method: 'POST',
    route: '/tickets/{ticketId}/comments',
    body: { content: 'It is on its way.', is_internal: false },
    idempotent: true,
    permission: 'tickets:write',
    text: 'Replies to the customer, or adds an internal note that only your team sees.',
    inputs: [
      ['content', 'string, required', 'The text of the comment'],
      ['is_internal', 'boolean', 'true for a note; false if omitted'],
    ],
  },
  {
    id: 'read-organization',
    title: 'Read your organization',
    method: 'GET',
    route: '/organizations/{organizationId}',
    permission: 'organization:read',
    text: 'Returns the name, the subdomain and the settings. Every ticket contains your organization’s id.',
  },
  {
    id: 'update-organization',
    title: 'Update your organization',
    method: 'PATCH',
    route: '/organizations/{organizationId}',
    body: { time_zone: 'Europe/Berlin', default_priority: 'medium' },
    permission: 'organization:write',
    text: 'Changes the settings that you send.',
    inputs: [
      ['name', 'string', 'Shown to your customers'],
      ['subdomain', 'string', 'The address of your portal and of this API: 3 to 30 letters, digits and hyphens'],
      ['time_zone', 'string', 'For example Europe/Berlin'],
      ['default_priority', 'string', 'low, medium, high, urgent'],
      ['auto_assign', 'boolean', 'Whether new tickets are assigned automatically'],
      ['business_hours', 'list or null', 'Hours in which SLA timers run; null: always'],
    ],
  },
  {
    id: 'list-changes',
    title: 'Read changes',
    method: 'GET',
    route: '/changes',
    query: { limit: '100' },
    permission: 'tickets:read',
    text: 'Returns the events of the last 30 days in a fixed order, for programs that cannot receive webhooks. Store next, and send it as after in your next request: you miss nothing and read nothing twice.',
    inputs: [
      ['after', 'string', 'The next of your last request, or now to skip past events; the oldest stored event if omitted'],
      ['include_internal_notes', 'boolean', 'Whether to return internal notes; false if omitted'],
      ['limit', '1 to 1,000', 'Events per request; 100 if omitted'],
    ],
  },
];

export const exampleIds = {
  ticketId: '01932d5c-0000-7000-8000-000000000001',
  organizationId: '01932d5c-0000-7000-8000-000000000002',
};

export type Language = 'curl' | 'typescript' | 'python' | 'php';
export const languages: readonly { value: Language; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
  { value: 'php', label: 'PHP' },
];

interface Filled extends Call {
  url: string;
}

function curl({ method, url, body, idempotent }: Filled): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${url}"`, '-H "Authorization: Bearer $TANDEM_TOKEN"'];
  if (idempotent) lines.push('-H "Idempotency-Key: $(openssl rand -hex 16)"');
  if (body) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body, null, 2)}'`);
  return lines.join(' \\\n  ');
}

/** The headers that the call needs, each as a line of the program. */
const headerLines = ({ body, idempotent }: Filled, lines: { authorization: string; json: string; key: string }): string =>
  [lines.authorization, ...(body ? [lines.json] : []), ...(idempotent ? [lines.key] : [])].join('\n');

const indented = (text: string, by: string) => text.replace(/\n/g, `\n${by}`);

/** JSON as TypeScript writes it: names without quotes, single quotes. */
const inTypeScript = (value: Json, by: string): string =>
  indented(JSON.stringify(value, null, 2), by)
    .replace(/"(\w+)":/g, '$1:')
    .replace(/"([^"]*)"/g, "'$1'")
    .replace(/\n(\s*)([}\]])/g, ',\n$1$2');

function typescript(call: Filled): string {
  const { method, url, body } = call;
  const headers = headerLines(call, {
    authorization: '    Authorization: `Bearer ${process.env.TANDEM_TOKEN}`,',
    json: "    'Content-Type': 'application/json',",
    key: "    'Idempotency-Key': crypto.randomUUID(),",
  });
  return `const response = await fetch('${url}', {
${method === 'GET' ? '' : `  method: '${method}',\n`}  headers: {
${headers}
  },
${body ? `  body: JSON.stringify(${inTypeScript(body, '  ')}),\n` : ''}});
if (!response.ok) throw new Error(await response.text());
console.log(await response.text());
`;
}

const inPython = (value: Json, by: string): string =>
  indented(JSON.stringify(value, null, 4), by)
    .replace(/: true\b/g, ': True')
    .replace(/: false\b/g, ': False')
    .replace(/: null\b/g, ': None')
    .replace(/\n(\s*)([}\]])/g, ',\n$1$2');

function python(call: Filled): string {
  const { method, url, body, idempotent } = call;
  const headers = headerLines(call, {
    authorization: `        "Authorization": f"Bearer {os.environ['TANDEM_TOKEN']}",`,
    json: '        "Content-Type": "application/json",',
    key: '        "Idempotency-Key": str(uuid.uuid4()),',
  });
  return `import json, os, urllib.request${idempotent ? ', uuid' : ''}

request = urllib.request.Request(
    "${url}",
    method="${method}",
    headers={
${headers}
    },
${body ? `    data=json.dumps(${inPython(body, '    ')}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(json.dumps(json.load(response)))
`;
}

const inPhp = (value: Json, by: string): string => {
  if (Array.isArray(value)) return `[${value.map((each) => inPhp(each, by)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `[\n${Object.entries(value)
      .map(([name, each]) => `${by}    '${name}' => ${inPhp(each, `${by}    `)},`)
      .join('\n')}\n${by}]`;
  return typeof value === 'string' ? `'${value.replace(/'/g, "\\'")}'` : JSON.stringify(value);
};

function php(call: Filled): string {
  const { method, url, body } = call;
  const headers = headerLines(call, {
    authorization: "        'Authorization: Bearer ' . getenv('TANDEM_TOKEN'),",
    json: "        'Content-Type: application/json',",
    key: "        'Idempotency-Key: ' . bin2hex(random_bytes(16)),",
  });
  return `<?php
$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [
${headers}
    ],
${body ? `    'content' => json_encode(${inPhp(body, '    ')}),\n` : ''}    'ignore_errors' => true,
]]);
echo file_get_contents('${url}', false, $context);
`;
}

const writers: Record<Language, (call: Filled) => string> = { curl, typescript, python, php };

/** `base`: the address of the API, up to and including `/api/v1`. */
export function sampleOf(call: Call, language: Language, base: string, ids: typeof exampleIds = exampleIds): string {
  const query = Object.entries(call.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const path = call.route.replace('{ticketId}', ids.ticketId).replace('{organizationId}', ids.organizationId);
  return writers[language]({ ...call, url: base + path + (query.length ? `?${query.join('&')}` : '') });
}

const bearer = '-H "Authorization: Bearer $TANDEM_TOKEN"';
export const ifMatch = (base: string, id: string = exampleIds.ticketId, version = 'v1'): string =>
  `curl -X PATCH "${base}/tickets/${id}" \\
  ${bearer} \\
  -H 'If-Match: "${version}"' \\
  -H "Content-Type: application/json" \\
  -d '{"status": "resolved"}'`;
export const poll = (base: string): string =>
  `curl "${base}/tickets?updated_since=2026-11-23T00:00:00.000Z&sort=updated_oldest&limit=100" \\
  ${bearer}`;
