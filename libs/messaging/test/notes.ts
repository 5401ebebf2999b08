import { join } from 'node:path';
import { Controller, Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  event,
  Id,
  job,
  operation,
  Permanent,
  type Context,
  type DataOf,
  type Envelope,
  type InputOf,
  type TenantContext,
} from '@tandem/contracts';
import { Database, newId, type Tx } from '@tandem/db';
import { freshDatabase, startForTest, testEnv } from '@tandem/testing';
import { sql } from 'kysely';
import * as z from 'zod';
import {
  Consumes,
  ConsumesBatch,
  defineService,
  emit,
  Handles,
  HandlesJob,
  Jobs,
  Recovers,
  Services,
  storeResponse,
  type Attempt,
  type BatchedEvent,
} from '../src';

// A small service that uses every feature: operations, events, consumers, jobs and sweeps.

const owner = 'tickets';
export const Note = z.object({ id: Id, text: z.string(), version: z.number().int() });
const Text = z.strictObject({ text: z.string().min(1, 'Write something').max(100) });
const byId = { params: z.object({ id: Id }) };

export const createNote = operation({
  name: 'notes.create',
  summary: 'Write a note.',
  owner,
  method: 'POST',
  path: '/notes',
  allow: 'ticket.write',
  status: 201,
  idempotent: true,
  input: { body: Text },
  output: Note,
});
export const readNote = operation({
  name: 'notes.read',
  summary: 'Read a note.',
  owner,
  method: 'GET',
  path: '/notes/:id',
  allow: 'ticket.read',
  token: 'tickets:read',
  input: { ...byId, query: z.strictObject({ shout: z.coerce.number().int().max(3).optional() }) },
  output: Note,
  etag: (note) => `v${note.version}`,
  problems: ['ticket.not_found'],
});
export const changeNote = operation({
  name: 'notes.change',
  summary: 'Change a note.',
  owner,
  method: 'PATCH',
  path: '/notes/:id',
  allow: 'ticket.write',
  input: { ...byId, body: Text },
  output: Note,
  problems: ['ticket.changed'],
});
export const listNotes = operation({
  name: 'notes.list',
  summary: 'All notes.',
  owner,
  method: 'GET',
  path: '/notes',
  allow: 'portal',
  output: Note,
  paginated: true,
});
export const leakNote = operation({
  name: 'notes.leak',
  summary: 'Returns more than it declares.',
  owner,
  method: 'GET',
  path: '/leak',
  allow: 'public',
  output: z.object({ notes: z.array(z.object({ id: z.string() })) }),
});
export const whoAmI = operation({
  name: 'notes.whoAmI',
  summary: 'For people.',
  owner,
  method: 'GET',
  path: '/who',
  allow: 'signed-in',
  output: z.object({ who: z.string() }),
});

export const noteCreated = event('note.created', owner, z.object({ text: z.string() }));
export const noteAdded = event('note.added', owner, z.object({ text: z.string() }));
export const noteFiled = event('note.filed', owner, z.object({ text: z.string() }));
/** Belongs to no organization. */
export const backupMade = event('backup.made', owner, z.object({ size: z.number() }), { tenant: false });
export const sendNote = job({ type: 'send_note', owner, queue: 'notes', data: z.object({ id: Id }), attempts: 3, backoffMs: [50, 100] });

interface Notes {
  notes: { id: string; organization_id: string; text: string; state?: string };
  effects: { organization_id: string; subject: string; sequence: number };
}
type NotesTx = Tx<Notes>;

/** Lets a test intercept the service's handlers and observe their calls. */
@Injectable()
export class NoteHooks {
  /** Called by the handler of createNote; may throw or wait. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  /** Called by the handler of createNote in its transaction, after its work; may throw or wait. */
  beforeNoteCommit: () => Promise<void> = async () => undefined;
  /** Called by the handler of createNote after its commit; may throw, wait, or replace its result. */
  afterNoteCommit: (note: z.infer<typeof Note>) => Promise<z.infer<typeof Note>> = async (note) => note;
  /** Called by the consumer, after its effect and before its commit. */
  beforeCommit: (envelope: Envelope, tx: NotesTx) => Promise<void> | void = () => undefined;
  /** Called by the worker. */
  work: (data: { id: string }, attempt: Attempt) => Promise<void> | void = () => undefined;
  readonly attempts: Attempt[] = [];
  /** Called by the consumer of batches, after its effects and before its commit. */
  beforeBatchCommit: (events: readonly BatchedEvent[]) => Promise<void> | void = () => undefined;
  /** The organizations in whose context the consumer of `backupMade` has run. */
  readonly backups: (string | null)[] = [];
  created = 0;
}

@Controller()
export class NoteService {
  constructor(
    @Inject(Database) private readonly db: Database<Notes>,
    private readonly jobs: Jobs,
    private readonly hooks: NoteHooks,
  ) {}

  @Handles(createNote)
  async create(ctx: TenantContext, { body }: InputOf<typeof createNote>) {
    const id = newId();
    await this.hooks.beforeAnswer();
    const note = await this.db.forTenant(ctx, async (tx) => {
      await tx.insertInto('notes').values({ id, organization_id: ctx.organization_id, text: body.text }).execute();
      await emit(tx, ctx, noteCreated, id, { text: body.text });
      this.jobs.add(tx, ctx, sendNote, { id }, { id });
      const stored = storeResponse(tx, { id, text: body.text, version: 1 });
      await this.hooks.beforeNoteCommit();
      return stored;
    });
    this.hooks.created += 1;
    return this.hooks.afterNoteCommit(note);
  }

  @Handles(readNote)
  async read(ctx: Context, { params, query }: InputOf<typeof readNote>) {
    const note = await this.db.forTenant(ctx, (tx) =>
      tx.selectFrom('notes').select(['id', 'text']).where('id', '=', params.id).executeTakeFirst(),
    );
    if (!note) throw new AppError('ticket.not_found');
    return { ...note, text: note.text + '!'.repeat(query.shout ?? 0), version: 1 };
  }

  @Handles(changeNote)
  change(_ctx: Context, { params, body, if_match }: InputOf<typeof changeNote>) {
    if (if_match !== undefined && if_match !== 'v1') throw new AppError('ticket.changed');
    return { id: params.id, text: body.text, version: 2 };
  }

  @Handles(listNotes)
  async list(ctx: Context) {
    const rows = await this.db.forTenant(ctx, (tx) => tx.selectFrom('notes').select(['id', 'text']).execute());
    const items = rows.map((row) => ({ ...row, version: 1 }));
    return { items, pagination: { page: 1, limit: 20, total: items.length, next_cursor: null } };
  }

  @Handles(leakNote)
  leak() {
    const note = { id: 'x', password_hash: 'secret' };
    return { notes: [note] };
  }

  @Handles(whoAmI)
  who(ctx: Context) {
    return { who: ctx.actor.type };
  }
}

@Injectable()
export class NoteEffects {
  constructor(private readonly hooks: NoteHooks) {}

  @Consumes(noteCreated, { name: 'notes-seen', from: 'beginning', attempts: 3, backoffMs: [50] })
  async onNoteCreated(ctx: TenantContext, data: DataOf<typeof noteCreated>, tx: NotesTx, envelope: Envelope) {
    if (data.text === 'poison') throw new Permanent('This one is poison');
    const { subject, sequence } = envelope;
    await tx.insertInto('effects').values({ organization_id: ctx.organization_id, subject, sequence }).execute();
    await this.hooks.beforeCommit(envelope, tx);
  }
}

@Injectable()
export class NoteBatches {
  constructor(private readonly hooks: NoteHooks) {}

  @ConsumesBatch(noteFiled, { name: 'notes-filed', from: 'beginning', attempts: 3, backoffMs: [50] })
  async onNotesFiled(events: readonly BatchedEvent<DataOf<typeof noteFiled>, TenantContext>[], tx: NotesTx) {
    if (events.some(({ data }) => data.text === 'poison')) throw new Permanent('This one is poison');
    for (const { ctx, envelope } of events) {
      const { subject, sequence } = envelope;
      await tx.insertInto('effects').values({ organization_id: ctx.organization_id, subject, sequence }).execute();
    }
    await this.hooks.beforeBatchCommit(events);
  }
}

@Injectable()
export class BackupEffects {
  constructor(private readonly hooks: NoteHooks) {}

  @Consumes(backupMade, { name: 'backups-seen', from: 'now' })
  onBackupMade(ctx: Context) {
    this.hooks.backups.push(ctx.organization_id);
  }
}

@Injectable()
export class NoteWorker {
  constructor(
    private readonly hooks: NoteHooks,
    @Inject(Database) private readonly db: Database<Notes>,
  ) {}

  @HandlesJob(sendNote)
  async send(ctx: Context, data: { id: string }, attempt: Attempt) {
    // A sweep that read the row before it was sent may add its job again afterwards.
    const pending = await this.db.forTenant(ctx, (tx) =>
      tx.selectFrom('notes').select('id').where('id', '=', data.id).where('state', '=', 'pending').executeTakeFirst(),
    );
    if (!pending) return;
    this.hooks.attempts.push(attempt);
    await this.hooks.work(data, attempt);
    await this.db.forTenant(ctx, (tx) => tx.updateTable('notes').set({ state: 'sent' }).where('id', '=', data.id).execute());
  }

  @Recovers(sendNote)
  async pending() {
    const rows = await this.db.asSystem('find notes that were not sent', (tx) =>
      tx.selectFrom('notes').select(['id', 'organization_id']).where('state', '=', 'pending').execute(),
    );
    return rows.map(({ id, organization_id }) => ({
      id,
      ctx: { organization_id, actor: { type: 'system' as const }, request_id: 'sweep' },
      data: { id },
    }));
  }
}

export const notesService = defineService({
  name: owner,
  controllers: [NoteService],
  providers: () => [NoteHooks, NoteEffects, NoteBatches, BackupEffects, NoteWorker],
});

/** The whole service in this process, its client, and access to its internals. */
export async function startNotes(overrides: Record<string, string> = {}) {
  const database = overrides['TICKETS_DATABASE_URL'] ?? (await freshNotes());
  const env = await testEnv({ SWEEP_MS: '60000', ...overrides, TICKETS_DATABASE_URL: database });
  return { env, ...(await startNotesWith(env)) };
}

export const freshNotes = async (): Promise<string> => (await freshDatabase(owner, { migrations: join(__dirname, 'migrations') })).url;

/** Starts another replica, in the same environment. */
export async function startNotesWith(env: Record<string, string | undefined>) {
  const running = await startForTest(notesService, env);
  const services = new Services({ SERVICE_URLS: { tickets: running.url }, CONTEXT_SECRET: [env['CONTEXT_SECRET']!] });
  const close = async () => {
    await services.close();
    await running.close();
  };
  return {
    running: running,
    services,
    hooks: running.app.get(NoteHooks),
    db: running.app.get<Database<Notes>>(Database),
    close,
  };
}

/** (subject, sequence) of every effect, in creation order. */
export const effectsOf = (db: Database<Notes>) =>
  db.asSystem('read effects', (tx) =>
    tx
      .selectFrom('effects')
      .select(['subject', 'sequence'])
      .orderBy(sql`position`)
      .execute(),
  );
