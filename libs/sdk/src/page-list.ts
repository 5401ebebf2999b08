import type { Pagination } from './generated/types';

/** One page of a list. */
export interface Page<T> {
  items: T[];
  pagination: Pagination;
  /** Null on the last page. */
  next: (() => Promise<Page<T>>) | null;
}

/** A list: `await` it for one page, `for await` over it for all items. Each loop reads the list again. */
export class PageList<T> implements PromiseLike<Page<T>>, AsyncIterable<T> {
  constructor(private readonly read: (cursor: string | undefined) => Promise<{ items: T[]; pagination: Pagination }>) {}

  then<A = Page<T>, B = never>(
    fulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    rejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page(undefined).then(fulfilled, rejected);
  }

  /** All pages, one after the other. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let page: Page<T> | undefined = await this.page(undefined); page; page = await page.next?.()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }

  private async page(cursor: string | undefined): Promise<Page<T>> {
    const { items, pagination } = await this.read(cursor);
    const { next_cursor: next } = pagination;
    return { items, pagination, next: next === null ? null : () => this.page(next) };
  }
}
