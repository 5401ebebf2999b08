import type { ImportProblem, ImportRecord } from '@tandem/contracts';
import { ImportFailed, type ImportInput, type SourceItem, type SourcePlace } from '../import-reader';

type Details = Partial<Pick<ImportProblem, 'kind' | 'key' | 'field' | 'value'>>;
/** Of a value in a problem. */
const maxValueLength = 200;

export const problem = (
  code: ImportProblem['code'],
  at: SourcePlace,
  { kind = null, key = null, field = null, value = null }: Details = {},
): SourceItem => ({
  type: 'problem',
  problem: { code, kind, key, field, value: value === null ? null : value.slice(0, maxValueLength).toWellFormed() },
  at,
});

export const record = <Kind extends ImportRecord['kind']>(
  kind: Kind,
  data: Extract<ImportRecord, { kind: Kind }>['data'],
  at: SourcePlace,
): SourceItem => ({ type: 'record', record: { kind, data } as ImportRecord, at });

/** Teammates, categories and fields of an import: a source with more is not an export of a help desk, and would fill the memory. */
const maxNames = 100_000;

/** Yields a problem once per import and name: a field that cannot be kept is one problem, and not one per ticket. */
export class OncePerImport {
  private readonly seen = new Set<string>();

  *problem(name: string, ...parameters: Parameters<typeof problem>): Generator<SourceItem, void> {
    if (this.seen.has(name)) return;
    this.add(name);
    yield problem(...parameters);
  }

  *item(name: string, item: () => SourceItem): Generator<SourceItem, void> {
    if (this.seen.has(name)) return;
    this.add(name);
    yield item();
  }

  private add(name: string): void {
    if (this.seen.size >= maxNames) throw new ImportFailed('source.too_many_records');
    this.seen.add(name);
  }
}

/** Counts the bytes that were read, and stops reading when the import is cancelled. */
export class Progress {
  private done = 0;
  private reported = 0;

  constructor(
    private readonly input: Pick<ImportInput, 'signal' | 'onProgress'>,
    private readonly total: number | null,
  ) {}

  async *count(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      this.input.signal.throwIfAborted();
      this.done += chunk.length;
      // A report per chunk would cost more than reading it.
      if (this.done - this.reported >= 1024 ** 2) this.report();
      yield chunk;
    }
    this.report();
  }

  private report(): void {
    this.reported = this.done;
    this.input.onProgress(this.done, this.total);
  }
}

/** `Ada Lovelace` as first and last name. */
export function splitName(name: string | null): { first_name: string | null; last_name: string | null } {
  const [first_name = null, ...rest] = name?.split(/\s+/) ?? [];
  return { first_name, last_name: rest.length > 0 ? rest.join(' ') : null };
}

/** A subject is required: a ticket without one gets the first words of its text. */
export function subjectOr(subject: string | null, text: string | null): string {
  if (subject !== null) return subject.replace(/\s+/g, ' ');
  const line = text?.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.trim().slice(0, 100) || 'No subject';
}
