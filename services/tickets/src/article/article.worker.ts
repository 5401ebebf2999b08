import { Inject, Injectable } from '@nestjs/common';
import { purgeArticle, systemContext, type JobDataOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { HandlesJob, Recovers, type PendingJob } from '@tandem/messaging';
import { storageKey } from '../attachment/file.controller';
import type { TicketsSchema } from '../schema';
import type { Storage } from '../storage/storage-interface';
import { deletePictures, findPictures } from './article-picture.store';
import { deleteArticleRow, findExpiredArticlesAcrossOrganizations, isExpired } from './article.store';

/** Deletes articles that can no longer be restored. */
@Injectable()
export class ArticleWorker {
  constructor(
    private readonly db: Database<TicketsSchema>,
    @Inject('STORAGE') private readonly storage: Storage,
  ) {}

  @Recovers(purgeArticle)
  async findExpired(): Promise<PendingJob<typeof purgeArticle>[]> {
    const expired = await this.db.asSystem('find expired articles of all organizations', findExpiredArticlesAcrossOrganizations);
    return expired.map(({ organization_id, id }) => ({
      id,
      ctx: systemContext(organization_id, `article-${id}`),
      data: { article_id: id },
    }));
  }

  /** The bytes before the rows, which are their only reference: if the process dies in between, the next sweep finds the article again. */
  @HandlesJob(purgeArticle)
  async purge(ctx: TenantContext, { article_id }: JobDataOf<typeof purgeArticle>): Promise<void> {
    const { organization_id } = ctx;
    const pictures = await this.db.forTenant(ctx, async (tx) =>
      (await isExpired(tx, organization_id, article_id)) ? findPictures(tx, organization_id, article_id) : undefined,
    );
    if (!pictures) return;
    for (const { id } of pictures) await this.storage.remove(storageKey(organization_id, id));
    await this.db.forTenant(ctx, async (tx) => {
      await deletePictures(tx, pictures.map(({ id }) => id)); // prettier-ignore
      await deleteArticleRow(tx, organization_id, article_id);
    });
  }
}
