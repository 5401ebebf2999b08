import { Inject, Injectable } from '@nestjs/common';
import { removeUnusedAttachments, systemContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage';
import { removableBefore } from './attachment';
import { deleteAttachment, findRemovableAcrossOrganizations } from './attachment.store';
import { keyOf } from './file.controller';

const atOnce = 100;

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
  async findPast(): Promise<PendingJob<typeof removeUnusedAttachments>[]> {
    const past = await this.#past(1);
    return past.length > 0 ? [{ id: 'past', ctx: systemContext(null, 'sweep-attachments'), data: {} }] : [];
  }

  @HandlesJob(removeUnusedAttachments, { concurrency: 1 })
  async remove(): Promise<void> {
    for (let past = await this.#past(atOnce); past.length > 0; past = await this.#past(atOnce)) {
      for (const file of past) {
        await this.storage.remove(keyOf(file.organization_id, file.id));
        await this.db.forTenant(file, (tx) => deleteAttachment(tx, file.id));
      }
    }
  }

  #past(limit: number) {
    const before = removableBefore(Date.now());
    return this.db.asSystem('files that nobody used in time', (tx) => findRemovableAcrossOrganizations(tx, before, limit));
  }
}
