import { Inject, Injectable } from '@nestjs/common';
import { deleteInTickets, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Jobs, organizationDeletion } from '@tandem/messaging';
import { removeArchive } from '../data-export/archive-storage';
import { findArchivesOfOrganization, forgetPieces } from '../data-export/export.store';
import { deleteImportFiles, findFilesOfImports } from '../import/import.store';
import { deletePictures, findPicturesOfOrganization } from '../article/article-picture.store';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deleteFiles, findFilesOfOrganization } from './attachment.store';
import { storageKey } from './file.controller';

const batch = 100;
const fileTables = [
  { find: findFilesOfOrganization, remove: deleteFiles },
  { find: findPicturesOfOrganization, remove: deletePictures },
  { find: findFilesOfImports, remove: deleteImportFiles },
];

/** Deletes the files of a deleted organization before their rows, which are the only reference to them. */
@Injectable()
export class TicketsDeletion extends organizationDeletion(deleteInTickets) {
  constructor(
    @Inject(Database) private readonly tickets: Database<TicketsSchema>,
    @Inject(Jobs) jobs: Jobs,
    @Inject('STORAGE') private readonly storage: Storage,
  ) {
    super(tickets, jobs);
  }

  override async beforeRows(ctx: TenantContext): Promise<void> {
    for (const { find, remove } of fileTables) {
      for (;;) {
        const files = await this.tickets.forTenant(ctx, (tx) => find(tx, ctx.organization_id, batch));
        if (files.length === 0) break;
        for (const { id } of files) await this.storage.remove(storageKey(ctx.organization_id, id));
        const ids = files.map(({ id }) => id);
        await this.tickets.forTenant(ctx, (tx) => remove(tx, ids));
      }
    }
    await this.#removeArchives(ctx);
  }

  /** A run that is still writing an archive finds its row deleted, stops, and removes what it has stored. */
  async #removeArchives(ctx: TenantContext): Promise<void> {
    const { organization_id } = ctx;
    for (;;) {
      const archives = await this.tickets.forTenant(ctx, (tx) => findArchivesOfOrganization(tx, organization_id, batch));
      if (archives.length === 0) return;
      for (const { id, pieces } of archives) {
        await removeArchive(this.storage, organization_id, pieces);
        await this.tickets.forTenant(ctx, (tx) => forgetPieces(tx, organization_id, id));
      }
    }
  }
}
