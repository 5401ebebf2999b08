import type { Readable } from 'node:stream';
import type { CsvKind, ImportFailure, ImportProblem, ImportRecord, ImportSource, TicketPriority, TicketStatus } from '@tandem/contracts';
import type { AddressRules } from '@tandem/platform';

/** An uploaded file, complete on the local disk while it is read. */
export interface UploadedFile {
  file_name: string;
  path: string;
  /** Of a CSV file. */
  kind: CsvKind | null;
  /** Our column → the column of the file. Of a CSV file. */
  mapping: Readonly<Record<string, string | null>> | null;
}

/** An API that an admin has given the address and a token of. */
export interface ApiAccess {
  address: string;
  token: string;
  /** Which addresses `safeFetch` may call; from the configuration: `ALLOW_PRIVATE_OUTBOUND`. */
  rules: AddressRules;
}

/** What a reader reads from: uploaded files, or an API. */
export interface ImportInput {
  files: readonly UploadedFile[];
  api: ApiAccess | null;
  /** What the admin has chosen for values of the source that have no equivalent; by the value as it is in the source. */
  statuses: ReadonlyMap<string, TicketStatus>;
  priorities: ReadonlyMap<string, TicketPriority>;
  /** The keys and types of the organization's custom fields; values of all others become a problem. */
  custom_fields: ReadonlyMap<string, string>;
  /** Aborted when the import is cancelled or the process stops. */
  signal: AbortSignal;
  /**
   * Called as the source is read, in bytes or records, so that the page shows the progress. `total` is null if it is not known.
   */
  onProgress(done: number, total: number | null): void;
}

/** Where a record or a problem is in the source. */
export interface SourcePlace {
  /** The file, or the entry of an archive, or the path of a request. */
  file: string;
  /** From 1; null in a source without lines. */
  line: number | null;
}

export type SourceProblem = Omit<ImportProblem, 'file' | 'line'> & { kind: ImportProblem['kind'] };

/**
 * A reader yields records in any order, problems of records that it leaves out or changes, and values that an admin can map. `value`: a status or
 * priority of the source without an equivalent; the record has the suggestion in the meantime. Records have not been parsed by their schema:
 * the caller does that, and checks limits and references.
 */
export type SourceItem =
  | { type: 'record'; record: ImportRecord; at: SourcePlace }
  | { type: 'problem'; problem: SourceProblem; at: SourcePlace }
  | { type: 'value'; field: 'status' | 'priority'; value: string; suggestion: TicketStatus | TicketPriority };

export interface ImportReader {
  source: ImportSource;
  /** Throws `ImportFailed` if the whole source cannot be read. Memory does not depend on the size of the source. */
  read(input: ImportInput): AsyncIterable<SourceItem>;
  /** The bytes of a file record with an `entry`; undefined if there is no such entry. A reader without archives does not have it. */
  openEntry?(input: ImportInput, entry: string): Promise<Readable | undefined>;
  /**
   * The bytes of a file record with a `url`, or the problem because of which the file is left out. A reader that has it downloads all of its
   * files: it sends its token to the address of the source, and to no other. Without it, files are downloaded without a token.
   * Throws `ImportFailed` if the source no longer accepts the token.
   */
  openUrl?(input: ImportInput, url: string, maxBytes: number): Promise<Readable | 'file.too_large' | 'file.unreachable'>;
}

/** The whole import cannot continue. */
export class ImportFailed extends Error {
  constructor(
    readonly failure: ImportFailure,
    options?: ErrorOptions,
  ) {
    super(failure, options);
  }
}
