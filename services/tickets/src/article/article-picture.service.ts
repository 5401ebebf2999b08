import { Controller } from '@nestjs/common';
import { addArticlePicture, AppError, articleLimits, isInline, type Attachment, type InputOf, type TenantContext } from '@tandem/contracts';
import { Database } from '@tandem/db';
import { Handles } from '@tandem/messaging';
import { takeUnusedFile } from '../attachment/attachment.store';
import type { TicketsSchema } from '../schema';
import { uniqueFileName } from './article';
import { findPictures, insertPicture } from './article-picture.store';
import { getArticleForUpdate } from './article.service';

/** Pictures of articles. `article-picture.controller.ts` sends their bytes to readers. */
@Controller()
export class ArticlePictureService {
  constructor(private readonly db: Database<TicketsSchema>) {}

  /** The id stays the same, so the bytes stay where they are. */
  @Handles(addArticlePicture)
  add(ctx: TenantContext, { params, body }: InputOf<typeof addArticlePicture>): Promise<Attachment> {
    return this.db.forTenant(ctx, async (tx) => {
      const { organization_id, id: article_id } = await getArticleForUpdate(tx, ctx, params.id);
      const others = await findPictures(tx, organization_id, article_id);
      if (others.length >= articleLimits.pictures) throw new AppError('article.too_many_pictures');
      const file = await takeUnusedFile(tx, ctx, body.attachment_id);
      if (!file) throw notUsable();
      if (!isInline(file.content_type)) throw new AppError('article.not_a_picture');
      const taken = others.map(({ file_name }) => file_name);
      const picture = { ...file, file_name: uniqueFileName(file.file_name, taken) };
      await insertPicture(tx, { ...picture, organization_id, article_id });
      return picture;
    });
  }
}

const notUsable = () => {
  const message = 'This file was not uploaded, or is already attached elsewhere';
  return new AppError('attachment.not_usable', { fields: [{ path: 'attachment_id', code: 'not_usable', message }] });
};
