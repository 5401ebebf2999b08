import type { PublicComment } from '@tandem/contracts';
import { aPublicTicket } from '../testing';
import { withEarlier, withLatest } from './join-comments';

const comment = (id: number): PublicComment => ({
  id: `c${id}`,
  content: String(id),
  is_from_customer: false,
  author_name: 'Ada',
  attachments: [],
  created_at: new Date(Date.UTC(2026, 10, 20, 10, id)).toISOString(),
});
const comments = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => comment(from + index));
const idsOf = ({ comments }: { comments: PublicComment[] }) => comments.map(({ id }) => id);
const ids = (from: number, to: number) => comments(from, to).map(({ id }) => id);

it('prepends earlier comments in order, without duplicates', () => {
  const ticket = aPublicTicket({ comments: comments(5, 7), earlier_cursor: 'before-5' });
  const joined = withEarlier(ticket, comments(3, 5).reverse(), 'before-3');
  expect(idsOf(joined)).toEqual(ids(3, 7));
  expect(joined.earlier_cursor).toBe('before-3');
});

it('keeps the shown comments when the latest ones are refetched', () => {
  const before = aPublicTicket({ comments: comments(1, 7), earlier_cursor: null });
  const fresh = aPublicTicket({ status: 'resolved', comments: comments(5, 9), earlier_cursor: 'before-5' });
  const joined = withLatest(before, fresh);
  expect(idsOf(joined)).toEqual(ids(1, 9));
  expect(joined).toMatchObject({ status: 'resolved', earlier_cursor: null });
});

it('starts over if more comments arrived than one page contains, so that no gap is hidden', () => {
  const before = aPublicTicket({ comments: comments(1, 4), earlier_cursor: null });
  const fresh = aPublicTicket({ comments: comments(6, 9), earlier_cursor: 'before-6' });
  expect(withLatest(before, fresh)).toBe(fresh);
});
