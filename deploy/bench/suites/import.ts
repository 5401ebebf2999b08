import { createReadStream, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { step } from '../../local/steps.ts';
import { BenchSystem } from '../bench-system.ts';
import { memoryOf } from '../processes.ts';
import type { Report } from '../report.ts';
import { organizations, type Size } from '../seed.ts';
import { ask, expect, signIn } from '../session.ts';
import { quantile } from '../statistics.ts';
import { commentsOfTicket, importFormats, type ImportFormat, writeImportFiles } from './import-files.ts';

const tickets = Number(process.env.BENCH_IMPORT_TICKETS ?? 100_000);
/** `CSV` or `Zendesk JSON`; default: both. */
const wanted = process.env.BENCH_IMPORT_FORMAT;
const size: Size = { organizations: 2, first: 1_000, each: 1_000, commented: 100, people: 2 };
const goalMinutes = 10;
const listEveryMs = 250;
const pollMs = 500;

/** The members of an import that the suite reads. */
interface ImportState {
  id: string;
  state: string;
  failure: string | null;
  counts: Record<string, { found: number; created: number; failed: number } | undefined>;
  problems: Record<string, number>;
  kept_count: number | null;
}

interface Phase {
  name: string;
  seconds: number;
  /** Of an agent's ticket list in the same organization, in the meantime. */
  listP50Ms: number;
  listP99Ms: number;
  ticketsMb: number;
  postgresMb: number;
}

/** Imports 100,000 tickets with three comments each through the API, from each format, and undoes it, while an agent reads the list. */
export async function importSuite(signal: AbortSignal): Promise<Report> {
  const system = await BenchSystem.start(signal, size);
  try {
    const measured: { format: ImportFormat; phases: Phase[] }[] = [];
    for (const format of importFormats.filter((each) => wanted === undefined || each === wanted))
      measured.push({ format, phases: await new ImportRun(system, format).run() });
    const seconds = (phases: Phase[], name: string) => phases.find((each) => each.name === name)!.seconds;
    return {
      tables: [
        {
          title: `Import of ${tickets.toLocaleString('en')} tickets with ${commentsOfTicket} comments each. Goal: ${goalMinutes} minutes for check and run`,
          columns: ['file', 'work', 'minutes', 'tickets/s', 'list p50 ms', 'list p99 ms', 'peak MB tickets', 'peak MB PostgreSQL'],
          rows: measured.flatMap(({ format, phases }) =>
            phases.map((phase) => [
              format,
              phase.name,
              (phase.seconds / 60).toFixed(2),
              (tickets / phase.seconds).toFixed(0),
              phase.listP50Ms.toFixed(1),
              phase.listP99Ms.toFixed(1),
              phase.ticketsMb.toFixed(0),
              phase.postgresMb.toFixed(0),
            ]),
          ),
        },
        {
          title: 'Check and run together',
          columns: ['file', 'minutes', 'goal'],
          rows: measured.map(({ format, phases }) => {
            const minutes = (seconds(phases, 'check') + seconds(phases, 'run')) / 60;
            return [format, minutes.toFixed(2), `${minutes <= goalMinutes ? '✓' : '✗'} ${goalMinutes}`];
          }),
        },
      ],
      figures: { tickets, comments: tickets * commentsOfTicket, measured },
    };
  } finally {
    await system.stop();
  }
}

class ImportRun {
  #import: ImportState | undefined;
  readonly #phases: Phase[] = [];
  readonly system: BenchSystem;
  #headers: Record<string, string> = {};
  readonly format: ImportFormat;

  constructor(system: BenchSystem, format: ImportFormat) {
    this.system = system;
    this.format = format;
  }

  async run(): Promise<Phase[]> {
    await this.#signIn();
    const before = await this.#count('tickets');
    const files = await step(`${this.format}: file`, () => writeImportFiles(this.system.directory, this.format, tickets));
    this.#import = await this.#call<ImportState>('POST', '/imports', { source: this.format === 'CSV' ? 'csv' : 'zendesk' });
    await this.#phase('upload', async () => {
      for (const file of files) await this.#upload(file);
    });
    await this.#phase('check', () => this.#until('check', 'ready'));
    expect('problems', JSON.stringify(this.#import.problems), '{}');
    await this.#phase('run', () => this.#until('start', 'done'));
    expect('tickets', await this.#count('tickets'), before + tickets);
    expect('comments', this.#import.counts.comment?.created, tickets * commentsOfTicket);
    await this.#phase('undo', () => this.#until('undo', 'undone'));
    expect('tickets after the undo', await this.#count('tickets'), before);
    return this.#phases;
  }

  /** Again before each phase, because a session without a page expires. */
  async #signIn(): Promise<void> {
    this.#headers = (await signIn(this.system.gatewayOrigin, organizations[0]!.people[0]!)).headers;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await ask<T>(`${this.system.gatewayOrigin}/api/v1${path}`, {
      method,
      headers: { ...this.#headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.data;
  }

  async #upload(file: string): Promise<void> {
    const bytes = statSync(file).size;
    const announced = await this.#call<{ upload_url: string }>('POST', `/imports/${this.#import!.id}/files`, {
      file_name: file.slice(file.lastIndexOf('/') + 1),
      size: bytes,
    });
    const answer = await fetch(new URL(announced.upload_url, `${this.system.gatewayOrigin}/api/v1/`), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', 'content-length': String(bytes) },
      body: createReadStream(file) as unknown as BodyInit,
      duplex: 'half',
    } as RequestInit);
    expect('upload', answer.status, 200);
  }

  /** Requests an action and waits until the import has the state. */
  async #until(action: 'check' | 'start' | 'undo', state: string): Promise<void> {
    const path = `/imports/${this.#import!.id}`;
    await this.#call('POST', `${path}/${action}`);
    for (;;) {
      this.system.signal.throwIfAborted();
      this.#import = await this.#call<ImportState>('GET', path);
      if (this.#import.state === state) return;
      if (this.#import.state === 'failed') throw new Error(`the import failed: ${this.#import.failure}`);
      await pause(pollMs);
    }
  }

  /** Measures the work, and in the meantime an agent's list and the memory of the processes. */
  async #phase(name: string, work: () => Promise<void>): Promise<void> {
    await this.#signIn();
    const list: number[] = [];
    const memory = { tickets: 0, postgres: 0 };
    const done = new AbortController();
    const sample = async () => {
      while (!done.signal.aborted) {
        const begun = performance.now();
        await this.#call('GET', '/tickets?limit=50');
        list.push(performance.now() - begun);
        if (list.length % 8 === 1) {
          const now = memoryOf(this.system.product);
          memory.tickets = Math.max(memory.tickets, now.tickets ?? 0);
          memory.postgres = Math.max(memory.postgres, now.postgres ?? 0);
        }
        await pause(listEveryMs);
      }
    };
    const sampling = sample();
    const begun = performance.now();
    await step(`${this.format}: ${name}`, work).finally(() => done.abort());
    const seconds = (performance.now() - begun) / 1_000;
    await sampling;
    const [listP50Ms, listP99Ms] = [quantile(list, 0.5), quantile(list, 0.99)];
    this.#phases.push({ name, seconds, listP50Ms, listP99Ms, ticketsMb: memory.tickets, postgresMb: memory.postgres });
  }

  async #count(table: 'tickets' | 'comments'): Promise<number> {
    const sql = `select count(*)::integer as n from ${table} where organization_id = $1`;
    return (await this.system.query<{ n: number }>('tandem_tickets', sql, [organizations[0]!.id]))[0]!.n;
  }
}
