import { Inject, Injectable } from '@nestjs/common';
import { removeUnusedAttachments, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { removableBefore } from './attachment';
import { deleteAttachment, findRemovableAcrossOrganizations } from './attachment.store';
import { storageKey } from './file.controller';

const batchSize = 100;

/**
 * Removes files that were announced or uploaded but never used. Removes the bytes before the row, which is their only reference: if the
 * process dies in between, the next sweep finds the row again and no bytes are orphaned.
 */
@Injectable()
export class AttachmentWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
  ) {}

  @Recovers(removeUnusedAttachments)
  async findRemovable(): Promise<PendingJob<typeof removeUnusedAttachments>[]> {
    const files = await this.#removable(1);
    return files.length > 0 ? [{ id: 'removable', ctx: systemContext(null, 'sweep-attachments'), data: {} }] : [];
  }

  @HandlesJob(removeUnusedAttachments, { concurrency: 1 })
  async remove(): Promise<void> {
    for (let files = await this.#removable(batchSize); files.length > 0; files = await this.#removable(batchSize)) {
      for (const file of files) {
        await this.storage.remove(storageKey(file.organization_id, file.id));
        await this.db.forTenant(file, (tx) => deleteAttachment(tx, file.id));
      }
    }
  }

  #removable(limit: number) {
    const before = removableBefore(Date.now());
    return this.db.asSystem('find unused files of all organizations', (tx) => findRemovableAcrossOrganizations(tx, before, limit));
  }
}
