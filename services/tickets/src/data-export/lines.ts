import type { ImportRecord, RecordKind, TenantContext } from '@tandem/contracts';
import type { Database } from '@tandem/db';
import type { TicketsSchema, TicketsTx } from '../schema';
import type { ExportFileName } from './export-files';

/** Where the lines of an export are read from and written to. */
export interface ExportRun {
  ctx: TenantContext;
  db: Database<TicketsSchema>;
  has_files: boolean;
  /** Only what is stored about this customer. Null for everything in the organization. */
  customer_email: string | null;
  /** The members that records may refer to, with their place in the order of the file. */
  teammates: ReadonlyMap<string, number>;
  /** The custom fields that exist; values of deleted ones are left out. */
  field_keys: ReadonlySet<string>;
  write: (file: ExportFileName, line: object) => Promise<void>;
  writeJson: (file: ExportFileName, line: string) => Promise<void>;
  /** Saves the progress now and then. Throws `ExportStopped` if the run must stop. */
  checkpoint: () => Promise<void>;
}

/** The export was deleted, another run has taken over, or the process stops. */
export class ExportStopped extends Error {}

/** The record of a kind, so that a missing field does not compile. */
export type RecordOf<Kind extends RecordKind> = Extract<ImportRecord, { kind: Kind }>['data'];

/** Reads pages until one has fewer rows than the limit. Each page is a transaction of its own. */
export async function* readPages<Row>(
  { db, ctx, checkpoint }: Pick<ExportRun, 'db' | 'ctx' | 'checkpoint'>,
  limit: number,
  read: (tx: TicketsTx, after: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let after: Row | undefined; ;) {
    await checkpoint();
    const last = after;
    const rows = await db.readTenant(ctx, (tx) => read(tx, last, limit));
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = rows.at(-1);
  }
}

/** A reference to a member, or null if there is none any more. */
export const teammateKey = ({ teammates }: Pick<ExportRun, 'teammates'>, id: string | null): string | null =>
  id !== null && teammates.has(id) ? id : null;

/** In the order of the members' file, which does not depend on ids. */
export const teammateKeys = ({ teammates }: Pick<ExportRun, 'teammates'>, ids: readonly string[]): string[] =>
  ids.filter((id) => teammates.has(id)).sort((a, b) => teammates.get(a)! - teammates.get(b)!);
