import { createHash } from 'node:crypto';
import { importSourceNames, isApiSource, type Import, type ImportSource, type RecordKind, type TicketRecord } from '@tandem/contracts';

/** The API tokens of sources are sealed with it. */
export const tokenPurpose = 'import';

/** Numbers of sources above this one are not kept: the organization's next tickets would have numbers that are too long to read. */
const maxKeptNumber = 100_000_000;

/** The number in `TAN-000123`, `#123` or `123`; null if there is none that can be kept. */
export function numberOf(text: string | null): number | null {
  const digits = /^(?:\D{0,20}?)(\d{1,12})$/.exec(text?.trim() ?? '')?.[1];
  const number = Number(digits);
  return digits !== undefined && number >= 1 && number <= maxKeptNumber ? number : null;
}

/**
 * An id that the same record of the same source always gets in an organization, so that a second import creates nothing twice. It contains
 * the organization, so that a file cannot name records of another one.
 */
export function derivedId(organization_id: string, ...parts: readonly (string | null)[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['import', organization_id, ...parts]))
    .digest('hex');
  // The form of a UUID of version 8 (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${'89ab'[parseInt(hex[16]!, 16) % 4]}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const hostOf = (address: string | null): string | null => (address === null ? null : (URL.parse(address)?.host ?? null));

/** How often the same ticket can be imported and deleted again within a day, each time with another id. */
const maxIds = 8;

/**
 * The ids that a ticket can have, the first one unless that was deleted. Sources number their tickets from 1, so an organization that moves in
 * from two accounts has each key twice. The id therefore also depends on the host, or else on the time of creation. Rows of a CSV file may have
 * no time: there it depends on subject and address.
 */
export function ticketIds(
  { organization_id, source, address }: Account,
  { key, subject, email, created_at, url }: { key: string; subject: string; email: string; created_at: string; url: string | null },
): string[] {
  const identity = source === 'csv' ? [subject, email] : [created_at];
  const parts = [source, hostOf(address) ?? hostOf(url), 'ticket', key, ...identity];
  return Array.from({ length: maxIds }, (_, i) => derivedId(organization_id, ...parts, ...(i === 0 ? [] : [String(i)])));
}

/** The id of another record than a ticket. `parent` is the id of the record that it belongs to. */
export const recordId = (
  { organization_id, source, address }: Account,
  kind: RecordKind,
  key: string,
  parent: string | null = null,
): string => derivedId(organization_id, source, hostOf(address), kind, parent, key);

export interface Account {
  organization_id: string;
  source: ImportSource;
  address: string | null;
}

/** `zendesk-123`; null for CSV files, whose keys are not unique, and for our own exports, which contain the external id. */
export function externalIdOf(source: ImportSource, ticket: TicketRecord): string | null {
  if (source === 'tandem') return ticket.external_id ?? null;
  return source === 'csv' ? null : `${source}-${ticket.key}`.slice(0, 255);
}

export const nameOfImport = (source: ImportSource, address: string | null): string =>
  isApiSource(source) ? (hostOf(address) ?? importSourceNames[source]) : importSourceNames[source];

export type Counts = Import['counts'];
type Count = NonNullable<Counts[RecordKind]>;
const none: Count = { found: 0, created: 0, existing: 0, failed: 0 };

/** Adds to the counts of a kind. */
export function addCounts(counts: Counts, kind: RecordKind, added: Partial<Count>): void {
  const count = { ...none, ...counts[kind] };
  for (const [name, number] of Object.entries(added) as [keyof Count, number][]) count[name] += number;
  counts[kind] = count;
}

export const hasCreated = (counts: Counts): boolean => Object.values(counts).some(({ created }) => created > 0);
