import type { Article } from '@tandem/contracts';
import { newId } from '@tandem/db';
import { insertCategory } from '../article/article-category.store';
import { insertArticle, insertVersion, nextNumber, saveArticle } from '../article/article.store';
import type { ArticleRow, TicketsTx } from '../schema';

const demoCategory = { name: 'Orders and payments', description: 'Delivery, returns and refunds' };

const demoArticles: readonly Pick<Article, 'title' | 'summary' | 'body'>[] = [
  {
    title: 'Get a refund',
    summary: 'Refunds arrive within five days, on the card you paid with.',
    body: `You can ask for a refund within **30 days** of your order.

## How to ask

1. Find your order number. It is on the invoice, below the date.
2. Submit a ticket with the number, and tell us what went wrong.
3. We confirm the refund by email.

## When the money arrives

Refunds go back to the card you paid with, within five days. If it takes longer, reply to our email.`,
  },
  {
    title: 'Where we ship',
    summary: 'All of the EU, the UK, Norway and Switzerland.',
    body: `We ship to all countries of the EU, the UK, Norway and Switzerland.

- **EU**: two to four working days
- **UK, Norway and Switzerland**: five to eight working days, including customs

You get an email with a tracking link as soon as your parcel is on its way.`,
  },
  {
    title: 'Something arrived broken',
    summary: 'Send us a photo. We replace broken parts free of charge.',
    body: `Sorry about that. We replace broken parts free of charge.

1. Take a photo of the broken part.
2. Submit a ticket with your order number, and attach the photo.

Keep the rest of your order: you do not have to return anything.`,
  },
];

/** Writes the published help articles of the demo organization, without events: nothing subscribes to them yet. */
export async function insertDemoArticles(tx: TicketsTx, organization_id: string, author_id: string, now: string): Promise<void> {
  const category_id = newId();
  const category = { ...demoCategory, id: category_id, number: await nextNumber(tx, organization_id), position: 1 };
  await insertCategory(tx, organization_id, { ...category, article_count: 0, updated_at: now });
  for (const texts of demoArticles) {
    const article: ArticleRow = {
      ...texts,
      organization_id,
      id: newId(),
      number: await nextNumber(tx, organization_id),
      language: 'en',
      category_id,
      visibility: 'public',
      published_version: null,
      first_published_at: null,
      ticket_id: null,
      updated_by: author_id,
      created_at: now,
      updated_at: now,
      deleted_at: null,
      version: 1,
    };
    await insertArticle(tx, article);
    const published_version = await insertVersion(tx, article, { published_at: now, published_by: author_id });
    await saveArticle(tx, article, { published_version, first_published_at: now });
  }
}
