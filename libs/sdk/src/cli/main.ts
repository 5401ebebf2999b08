import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { createInterface } from 'node:readline/promises';
import { TandemError } from '../errors';
import type { Tandem } from '../generated/client';
import type { ListTicketsQuery, TicketPriority, WebhookDelivery } from '../generated/types';
import { version } from '../version';
import { CliError, explain } from './failure';
import { listen, type ListenOptions } from './listen';
import { note, printRecord, printRows } from './output';
import { clientFor, readSettings, saveSettings } from './settings';

const client = (): Tandem => clientFor(readSettings());
const list = (value: string): string[] => value.split(',').map((part) => part.trim());
function count(value: string): number {
  if (!/^[1-9]\d{0,4}$/.test(value)) throw new InvalidArgumentError('Give a number from 1 to 99999.');
  return Number(value);
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The ticket's id, given its id or its number. */
async function ticketId(tandem: Tandem, given: string): Promise<string> {
  if (uuid.test(given)) return given;
  const { items } = await tandem.tickets.list({ search: given, limit: 20 });
  const found = items.find(({ ticket_number }) => ticket_number.toLowerCase() === given.toLowerCase());
  if (!found) throw new CliError(`There is no ticket ${given}`, 'Check the number: `tandem tickets list` shows the newest ones.');
  return found.id;
}

/** At most `limit` rows of a list. */
async function first<T>(rows: AsyncIterable<T>, limit: number): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) if (found.push(row) >= limit) break;
  return found;
}

async function input(what: string): Promise<string> {
  if (process.stdin.isTTY)
    throw new CliError(`The ${what} is missing`, `Give it as an argument, or through a pipe: echo "…" | tandem …`, 2);
  return (await readAll(process.stdin)).trim();
}

const program = new Command('tandem')
  .description('Tandem from the command line: tickets, webhooks, and your own webhook receiver during development.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(`--help` shows the usage)')
  .addHelpText('after', '\nExit codes: 0 success, 1 a failure, 2 wrong usage, 3 not signed in or the token is refused.');

program
  .command('login')
  .description('store the URL and an API token for this user; TANDEM_URL and TANDEM_TOKEN take precedence')
  .requiredOption('--url <url>', 'where your Tandem runs: https://acme.tandem.example', process.env.TANDEM_URL)
  .addHelpText(
    'after',
    '\nThe token is asked for, or read from a pipe; it is never an argument, because other users of the machine can see arguments.',
  )
  .action(async ({ url }: { url: string }) => {
    const token = process.stdin.isTTY ? await askForToken() : await input('token');
    const settings = { url, token };
    try {
      await clientFor(settings).tickets.list({ limit: 1 });
    } catch (error) {
      // A token without this permission is valid too.
      if (!(error instanceof TandemError && error.code === 'token.permission_missing')) throw error;
    }
    note(`You are signed in to ${url}. The token is in ${saveSettings(settings)}.`);
  });

/** Reads the token without displaying it. */
async function askForToken(): Promise<string> {
  process.stderr.write('API token (Settings → API): ');
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: silent, terminal: true });
  reader.once('SIGINT', () => process.exit(0));
  const token = await reader.question('');
  reader.close();
  process.stderr.write('\n');
  return token.trim();
}

// ---- tickets --------------------------------------------------------------------------------------------------

const tickets = program.command('tickets').description('list, read, create, answer and close tickets');
tickets
  .command('list')
  .description('list tickets, the newest first')
  .option('--status <statuses>', 'open, in_progress, waiting_for_customer, resolved, closed', list)
  .option('--priority <priorities>', 'low, medium, high, urgent', list)
  .option('--assignee <id>', 'a member’s id, or unassigned')
  .option('--search <text>')
  .option('--limit <number>', 'maximum number', count, 20)
  .action(async ({ limit, ...filters }: ListTicketsQuery & { limit: number }) => {
    const rows = await first(client().tickets.list({ ...filters, limit: Math.min(limit, 100) }), limit);
    const columns = [
      { title: 'NUMBER', value: (row: (typeof rows)[number]) => row.ticket_number },
      { title: 'STATUS', value: (row: (typeof rows)[number]) => row.status },
      { title: 'PRIORITY', value: (row: (typeof rows)[number]) => row.priority },
      { title: 'CUSTOMER', value: (row: (typeof rows)[number]) => row.customer_email },
      { title: 'SUBJECT', value: (row: (typeof rows)[number]) => row.subject },
    ];
    printRows(rows, columns, 'No tickets match.');
  });
tickets
  .command('get <ticket>')
  .description('show a ticket, by its number or id')
  .action(async (ticket: string) => {
    const tandem = client();
    printRecord(await tandem.tickets.get(await ticketId(tandem, ticket)));
  });
tickets
  .command('create')
  .description('create a ticket for a customer')
  .requiredOption('--subject <text>')
  .requiredOption('--email <address>', 'the customer’s')
  .option('--description <text>')
  .option('--priority <priority>', 'low, medium, high, urgent')
  .option('--tags <tags>', 'separated by commas', list)
  .action(
    async ({ email, ...fields }: { email: string; subject: string; description?: string; priority?: TicketPriority; tags?: string[] }) => {
      printRecord(await client().tickets.create({ ...fields, customer_email: email }));
    },
  );
tickets
  .command('reply <ticket> [text]')
  .description('reply to the customer; the text can come through a pipe')
  .option('--internal', 'write an internal note instead')
  .action(async (ticket: string, text: string | undefined, { internal }: { internal?: boolean }) => {
    const content = text ?? (await input('text'));
    const tandem = client();
    printRecord(await tandem.comments.create(await ticketId(tandem, ticket), { content, is_internal: internal ?? false }));
  });
tickets
  .command('close <ticket>')
  .description('close a ticket')
  .action(async (ticket: string) => {
    const tandem = client();
    printRecord(await tandem.tickets.update(await ticketId(tandem, ticket), { status: 'closed' }));
  });

// ---- any request ----------------------------------------------------------------------------------------------

program
  .command('api <method> <path>')
  .description('send any request: tandem api GET /tickets?limit=5')
  .option('--data <json>', 'the body; - reads it from a pipe')
  .action(async (method: string, path: string, { data }: { data?: string }) => {
    if (!/^(GET|POST|PUT|PATCH|DELETE)$/i.test(method) || !path.startsWith('/'))
      throw new CliError('This is not a request', 'Give a method and a path below /api/v1: tandem api GET /tickets', 2);
    let body: unknown;
    try {
      if (data !== undefined) body = JSON.parse(data === '-' ? await input('body') : data);
    } catch (error) {
      throw new CliError('The body is not JSON', `Correct --data: ${(error as Error).message}`, 2);
    }
    const result = await client().request({ method: method.toUpperCase(), path, ...(body !== undefined && { body }) });
    const text = typeof result === 'string' ? result : JSON.stringify(result, null, process.stdout.isTTY ? 2 : 0);
    process.stdout.write(`${text}\n`);
  });

// ---- webhooks -------------------------------------------------------------------------------------------------

/** The only endpoint, if none is given. */
async function endpointId(tandem: Tandem, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const endpoints = await tandem.webhooks.list();
  if (endpoints.length === 1) return endpoints[0]!.id;
  if (endpoints.length === 0) throw new CliError('There is no webhook endpoint', 'Create one: Settings → Webhooks.');
  throw new CliError(
    'There are several endpoints',
    `Give the id of one: ${endpoints.map(({ id, url }) => `${id} (${url})`).join(', ')}`,
    2,
  );
}

const deliveryColumns = [
  { title: 'ID', value: (row: WebhookDelivery) => row.id },
  { title: 'EVENT', value: (row: WebhookDelivery) => row.event },
  { title: 'STATE', value: (row: WebhookDelivery) => row.state },
  { title: 'ATTEMPTS', value: (row: WebhookDelivery) => row.attempts },
  { title: 'STATUS', value: (row: WebhookDelivery) => row.last_status },
  { title: 'ERROR', value: (row: WebhookDelivery) => row.last_error },
];

const webhooks = program.command('webhooks').description('deliveries of an endpoint, and sending missed events again');
webhooks
  .command('deliveries [endpoint]')
  .description('list the deliveries of an endpoint, the latest first')
  .option('--state <state>', 'pending, delivered, failed, skipped, cancelled')
  .option('--limit <number>', 'maximum number', count, 20)
  .action(async (endpoint: string | undefined, { state, limit }: { state?: WebhookDelivery['state']; limit: number }) => {
    const tandem = client();
    const rows = tandem.webhooks.deliveries(await endpointId(tandem, endpoint), { state, limit: Math.min(limit, 100) });
    printRows(await first(rows, limit), deliveryColumns, 'No deliveries match.');
  });
webhooks
  .command('replay [endpoint]')
  .description('send events again that happened since a time')
  .requiredOption('--since <time>', 'such as 2026-11-23T10:00:00Z')
  .option('--until <time>', 'default: now')
  .option('--which <which>', 'missed, failed or all', 'missed')
  .option('--dry-run', 'only count them')
  .action(
    async (
      endpoint: string | undefined,
      options: { since: string; until?: string; which: 'missed' | 'failed' | 'all'; dryRun?: boolean },
    ) => {
      const tandem = client();
      const { since, until, which, dryRun = false } = options;
      const id = await endpointId(tandem, endpoint);
      printRecord(await tandem.webhooks.replay(id, { since: utc(since), ...(until && { until: utc(until) }), which, dry_run: dryRun }));
    },
  );

function utc(time: string): string {
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) throw new CliError(`${time} is not a time`, 'Give a date or a time: 2026-11-23T10:00:00Z', 2);
  return at.toISOString();
}

program
  .command('trigger <event>')
  .description('send a realistic sample of an event to an endpoint: tandem trigger ticket.created')
  .option('--endpoint <id>', 'needed if there are several')
  .action(async (event: WebhookDelivery['event'], { endpoint }: { endpoint?: string }) => {
    const tandem = client();
    printRecord(await tandem.webhooks.test(await endpointId(tandem, endpoint), { event }));
  });

program
  .command('listen')
  .description('receive the organization’s events and post them to your program, signed like real webhooks')
  .requiredOption('--forward-to <url>', 'your program: http://localhost:4000/hook')
  .option('--events <events>', 'only these, separated by commas', list)
  .option('--after <position>', 'continue after this position, which each line of output has', 'now')
  .option('--internal-notes', 'include internal notes', false)
  .option('--secret <whsec>', 'the secret of an earlier run; default: a new one')
  .action((options: ListenOptions) => listen(client(), options));

// ---------------------------------------------------------------------------------------------------------------

// The reader of a pipe may stop early: `tandem tickets list | head -1`.
process.stdout.on('error', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));

program.parseAsync().catch((error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
    return;
  }
  const { message, hint, exitCode } = explain(error);
  note(`Error: ${message}`);
  note(hint);
  process.exitCode = exitCode;
});
