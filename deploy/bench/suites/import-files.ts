import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export const importFormats = ['Zendesk JSON', 'CSV'] as const;
export type ImportFormat = (typeof importFormats)[number];
export const commentsOfTicket = 3;

const agents = 40;
const customers = 9_000;
/** Higher than the numbers of all other tickets. */
const firstId = 1_000_000;
const start = Date.UTC(2022, 0, 3, 8, 0, 0);
const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString().replace('.000', '');
const paragraph =
  'The parcel has arrived, but the printer in it does not work as it should. I have tried another cable & another "socket". ';

interface Entry {
  id: number;
  createdAt: string;
  updatedAt: string;
  subject: string;
  description: string;
  customer: { id: number; name: string; email: string };
  agent: { id: number; name: string; email: string };
  comments: { id: number; isFromCustomer: boolean; isInternal: boolean; createdAt: string; text: string }[];
}

function entry(n: number): Entry {
  const customer = n % customers;
  const agent = n % agents;
  const created = n * 600;
  return {
    id: firstId + n,
    createdAt: at(created),
    updatedAt: at(created + 7_200),
    subject: `Problem ${n} with my order and the invoice`,
    description: paragraph.repeat(1 + (n % 4)),
    customer: { id: 1_000_000 + customer, name: `Customer ${customer}`, email: `customer-${customer}@import.test` },
    agent: { id: 2_000_000 + agent, name: `Agent ${agent}`, email: `agent-${agent}@import.test` },
    comments: Array.from({ length: commentsOfTicket }, (_, index) => ({
      id: (firstId + n) * 10 + index + 1,
      isFromCustomer: index === 2,
      isInternal: index === 1,
      createdAt: at(created + 600 * (index + 1)),
      text: paragraph.repeat(1 + (index % 3)),
    })),
  };
}

/** Writes the files of one import; returns their paths. */
export async function writeImportFiles(directory: string, format: ImportFormat, tickets: number): Promise<string[]> {
  const write = async (name: string, lines: (n: number) => string, first: string[] = []): Promise<string> => {
    const path = join(directory, name);
    function* all(): Generator<string> {
      yield* first;
      for (let n = 1; n <= tickets; n++) yield lines(n);
    }
    await pipeline(Readable.from(all()), createWriteStream(path));
    return path;
  };
  if (format === 'Zendesk JSON') return [await write('zendesk.json', (n) => `${JSON.stringify(zendesk(entry(n)))}\n`)];
  return [
    await write('tickets.csv', (n) => row(ticketCells(entry(n))), [row(ticketColumns)]),
    await write('comments.csv', (n) => commentCells(entry(n)).map(row).join(''), [row(commentColumns)]),
  ];
}

/** A line of Zendesk's full JSON export: a ticket with its comments (support.zendesk.com, "Exporting data to a JSON, CSV, or XML file"). */
function zendesk({ id, createdAt, updatedAt, subject, description, customer, agent, comments }: Entry): object {
  const author = (isFromCustomer: boolean) => (isFromCustomer ? customer.id : agent.id);
  const first = {
    id: id * 10,
    type: 'Comment',
    author_id: customer.id,
    body: description,
    plain_body: description,
    public: true,
    created_at: createdAt,
  };
  return {
    url: `https://acme.zendesk.com/api/v2/tickets/${id}.json`,
    id,
    external_id: null,
    created_at: createdAt,
    updated_at: updatedAt,
    type: null,
    subject,
    raw_subject: subject,
    description,
    priority: ['low', 'normal', 'high', 'urgent'][id % 4],
    status: ['new', 'open', 'pending', 'solved', 'closed', 'closed', 'closed'][id % 7],
    recipient: null,
    requester: customer,
    submitter: customer,
    assignee: agent,
    organization: null,
    group: { id: 1, name: 'Support' },
    collaborator: [],
    via: { channel: 'email', source: { from: {}, to: {}, rel: null } },
    tags: id % 3 === 0 ? ['billing', 'vip'] : [],
    custom_fields: [],
    comments: [
      first,
      ...comments.map(({ id: commentId, isFromCustomer, isInternal, createdAt: created_at, text }) => ({
        id: commentId,
        type: 'Comment',
        author_id: author(isFromCustomer),
        body: text,
        plain_body: text,
        html_body: `<div class="zd-comment"><p>${text.replaceAll('&', '&amp;')}</p></div>`,
        public: !isInternal,
        attachments: [],
        created_at,
      })),
    ],
  };
}

const ticketColumns = [
  'id',
  'subject',
  'description',
  'status',
  'priority',
  'tags',
  'customer_email',
  'customer_name',
  'assignee',
  'created_at',
  'updated_at',
];
const ticketCells = ({ id, subject, description, customer, agent, createdAt, updatedAt }: Entry): string[] => [
  String(id),
  subject,
  description,
  ['open', 'in_progress', 'resolved', 'closed', 'closed'][id % 5]!,
  ['low', 'medium', 'high', 'urgent'][id % 4]!,
  id % 3 === 0 ? 'billing,vip' : '',
  customer.email,
  customer.name,
  agent.email,
  createdAt,
  updatedAt,
];
const commentColumns = ['id', 'ticket_id', 'content', 'author_email', 'is_internal', 'created_at'];
const commentCells = ({ id, customer, agent, comments }: Entry): string[][] =>
  comments.map((comment) => [
    String(comment.id),
    String(id),
    comment.text,
    comment.isFromCustomer ? customer.email : agent.email,
    String(comment.isInternal),
    comment.createdAt,
  ]);

const row = (cells: readonly string[]): string =>
  `${cells.map((cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\n`;
