import { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import type { TenantContext } from '@tandem/contracts';
import { Database, newId } from '@tandem/db';
import type { Logger } from '@tandem/platform';
import { deleteAttachment, finishUpload, insertAttachment } from '../attachment/attachment.store';
import { ContentCheck } from '../attachment/content-check';
import { storageKey } from '../attachment/file.controller';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import type { FileSelection } from './mail';
import { piecesOf } from './pieces';

/** Inspecting one piece is short, so that requests are answered in between. */
const pieceBytes = 65_536;

/** Time limit for storing one file. The next attempt of the job tries again. */
const timeoutMs = 60_000;

/**
 * Stores the files of an email in the same steps as an upload: row, bytes, type; then the email's transaction attaches them. Each attempt
 * uses new ids, so that it does not conflict with the files of an interrupted attempt, which the sweep of unused files removes.
 */
@Injectable()
export class MailFiles {
  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
    @Inject('LOG') private readonly log: Logger,
  ) {}

  /** Returns the ids in the order of the files. Stores all of them or throws. */
  async store(ctx: TenantContext, files: FileSelection['taken']): Promise<string[]> {
    const ids: string[] = [];
    try {
      for (const file of files) {
        const id = newId();
        ids.push(id);
        await this.#store(ctx, id, file);
      }
      return ids;
    } catch (error) {
      await this.discard(ctx, ids);
      throw error;
    }
  }

  async #store(ctx: TenantContext, id: string, { file_name, content }: FileSelection['taken'][number]): Promise<void> {
    const organization_id = ctx.organization_id;
    const created_at = new Date().toISOString();
    await this.db.forTenant(ctx, (tx) =>
      insertAttachment(tx, {
        organization_id,
        id,
        file_name,
        size: content.length,
        content_type: null,
        created_at,
        upload_started_at: created_at,
        user_id: null,
        from_customer: ctx.actor.type === 'customer',
        ticket_id: null,
        comment_id: null,
      }),
    );
    const checked = new ContentCheck(content.length);
    const signal = AbortSignal.timeout(timeoutMs);
    const bytes = checked.through(Readable.from(piecesOf(content, pieceBytes), { objectMode: false }), signal, () => undefined);
    await this.storage.put(storageKey(organization_id, id), Readable.from(bytes, { objectMode: false }), content.length, signal);
    const type = await checked.type();
    await this.db.forTenant(ctx, (tx) => finishUpload(tx, id, type));
  }

  /** Removes unused files: bytes, then row. The sweep removes what cannot be removed now. */
  async discard(ctx: TenantContext, ids: string[]): Promise<void> {
    const organization_id = ctx.organization_id;
    for (const id of ids) {
      try {
        await this.storage.remove(storageKey(organization_id, id));
        await this.db.forTenant(ctx, (tx) => deleteAttachment(tx, id));
      } catch (error) {
        this.log.warn({ err: error, organization_id, attachment_id: id }, 'Could not discard an email file; the sweep will discard it');
      }
    }
  }
}
