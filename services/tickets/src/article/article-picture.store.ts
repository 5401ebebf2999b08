import type { Attachment } from '@tandem/contracts';
import { sql } from 'kysely';
import type { ArticlePictureRow, TicketsTx } from '../schema';

const shown = ['id', 'file_name', 'size', 'content_type', 'created_at'] as const satisfies readonly (keyof ArticlePictureRow)[];

/** The pictures of an article, in the order in which they were announced. */
export const findPictures = (tx: TicketsTx, organization_id: string, article_id: string): Promise<Attachment[]> =>
  tx
    .selectFrom('article_pictures')
    .select(shown)
    .where('organization_id', '=', organization_id)
    .where('article_id', '=', article_id)
    .orderBy('id')
    .execute();

/** A picture of any article, published or not: for members. */
export const findPicture = (tx: TicketsTx, organization_id: string, id: string): Promise<ArticlePictureRow | undefined> =>
  tx
    .selectFrom('article_pictures')
    .select([...shown, 'organization_id', 'article_id'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .executeTakeFirst();

/** The organization of a picture, whose address does not name it. */
export const findPictureOwnerAcrossOrganizations = (tx: TicketsTx, id: string): Promise<{ organization_id: string } | undefined> =>
  tx.selectFrom('article_pictures').select('organization_id').where('id', '=', id).executeTakeFirst();

/** A picture that everybody may see: of an article that is published, public and not deleted. */
export const findPublicPicture = (tx: TicketsTx, organization_id: string, id: string): Promise<Attachment | undefined> =>
  tx
    .selectFrom('article_pictures as p')
    .innerJoin('articles as a', (join) => join.onRef('a.organization_id', '=', 'p.organization_id').onRef('a.id', '=', 'p.article_id'))
    .select(['p.id', 'p.file_name', 'p.size', 'p.content_type', 'p.created_at'])
    .where('p.organization_id', '=', organization_id)
    .where('p.id', '=', id)
    .where('a.published_version', 'is not', null)
    .where('a.visibility', '=', 'public')
    .where('a.deleted_at', 'is', null)
    .executeTakeFirst();

export async function insertPicture(tx: TicketsTx, picture: ArticlePictureRow): Promise<void> {
  await tx.insertInto('article_pictures').values(picture).execute();
}

export const findPicturesOfOrganization = (tx: TicketsTx, organization_id: string, limit: number): Promise<{ id: string }[]> =>
  tx.selectFrom('article_pictures').select('id').where('organization_id', '=', organization_id).limit(limit).execute();

export async function deletePictures(tx: TicketsTx, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('article_pictures')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
