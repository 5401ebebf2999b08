import type { InboundChange } from '../provider/task-tool';
import { newsOf, someComment, tell, webhookAddress, type TaskNews, type ToldLink } from './webhook';

const at = (second: number) => `2026-11-22T00:00:${String(second).padStart(2, '0')}.000Z`;
const change = (overrides: Partial<InboundChange>): InboundChange => ({
  ...{ event: 'e', kind: 'task', task_id: 't', list_id: null, comment_id: null, actor_id: null, at: at(1) },
  ...overrides,
});

const us = { account_id: 'us', time_step_ms: 1 };

describe('what webhooks say of a task', () => {
  const changes = [
    change({ at: at(2) }),
    change({ at: at(5) }),
    change({ kind: 'comment', comment_id: 'c1', at: at(4) }),
    change({ kind: 'comment', comment_id: 'c2', at: at(3) }),
    change({ kind: 'other', at: at(9) }),
    change({ kind: 'task', task_id: null }),
    change({ kind: 'list_deleted', task_id: null, list_id: 'l' }),
  ];
  const expected = { told_at: at(5), is_undated: false };

  it('is its latest time and its comments, whichever order they came in and however often', () => {
    for (const order of [changes, changes.toReversed(), [...changes, ...changes]]) {
      const { tasks, lists_gone } = newsOf(order, us);
      expect([...tasks.keys()]).toEqual(['t']);
      expect(tasks.get('t')).toMatchObject(expected);
      expect(tasks.get('t')!.comment_ids.toSorted()).toEqual(['c1', 'c2']);
      expect([...lists_gone]).toEqual(['l']);
    }
  });

  it('counts as known a little longer where our own account did it: it is mostly what we sent', () => {
    const told = (actor_id: string) => newsOf([change({ actor_id, at: at(5) })], us).tasks.get('t')!.told_at;
    expect([told('us'), told('them')]).toEqual([at(3), at(5)]);
  });

  it('is at the end of its second where the tool knows whole seconds: the same second may hold another change', () => {
    const told = (actor_id: string) => newsOf([change({ actor_id, at: at(5) })], { ...us, time_step_ms: 1_000 }).tasks.get('t')!.told_at;
    expect([told('us'), told('them')]).toEqual([at(3), '2026-11-22T00:00:05.999Z']);
  });

  it('may lack a time, or the name of a comment', () => {
    const { tasks } = newsOf([change({ kind: 'task_deleted', at: null }), change({ kind: 'comment', at: null })], us);
    expect(tasks.get('t')).toEqual({ told_at: null, is_undated: true, comment_ids: [someComment] });
  });
});

describe('a link', () => {
  const link = (overrides: Partial<ToldLink> = {}): ToldLink => ({
    ...{ state: 'linked', task_seen_at: at(5), task_told_at: null, comments_told: [] },
    ...overrides,
  });
  const news = (overrides: Partial<TaskNews> = {}): TaskNews => ({
    ...{ told_at: null, is_undated: false, comment_ids: [] },
    ...overrides,
  });
  const nobody = () => false;

  it('is due for a change later than what was seen, and not for our own that comes back', () => {
    expect(tell(link(), news({ told_at: at(6) }), nobody, at(7))).toMatchObject({ task_told_at: at(6), is_due: true });
    expect(tell(link(), news({ told_at: at(5) }), nobody, at(7))).toMatchObject({ is_due: false });
    expect(tell(link(), news({ told_at: at(4) }), nobody, at(7))).toMatchObject({ is_due: false });
  });

  it('is not due twice for the same word, nor for an older one', () => {
    for (const told_at of [at(6), at(5), at(7)])
      expect(tell(link({ task_told_at: at(7) }), news({ told_at }), nobody, at(9))).toMatchObject({ task_told_at: at(7), is_due: false });
  });

  it('is due for a word without a time, also where the tool’s clock is ahead of ours', () => {
    expect(tell(link(), news({ is_undated: true }), nobody, at(3)).is_due).toBe(true);
    expect(tell(link(), news({ is_undated: true }), nobody, at(8))).toMatchObject({ task_told_at: at(8), is_due: true });
  });

  it('is due for a comment that nobody knows, once', () => {
    const told = tell(link(), news({ comment_ids: ['ours', 'theirs'] }), (id) => id === 'ours', at(9));
    expect(told).toMatchObject({ comments_told: ['theirs'], task_told_at: null, is_due: true });
    const again = tell(link({ comments_told: ['theirs'] }), news({ comment_ids: ['theirs'] }), nobody, at(9));
    expect(again).toMatchObject({ comments_told: ['theirs'], is_due: false });
  });

  it('of which very many comments are told names none of them, and is due for the next one all the same', () => {
    const comment_ids = Array.from({ length: 51 }, (_, i) => `c${i}`);
    expect(tell(link(), news({ comment_ids: comment_ids.slice(1) }), nobody, at(9)).comments_told).toHaveLength(50);
    const { comments_told } = tell(link(), news({ comment_ids }), nobody, at(9));
    expect(comments_told).toEqual([someComment]);
    expect(tell(link({ comments_told }), news({ comment_ids: ['next'] }), nobody, at(9)).is_due).toBe(true);
  });

  it('that waits for a person hears what is told and stays where it is', () => {
    for (const state of ['stopped', 'failed', 'gone'] as const)
      expect(tell(link({ state }), news({ told_at: at(6) }), nobody, at(9))).toMatchObject({ task_told_at: at(6), is_due: false });
  });
});

it('is sent to the public address of its connection', () => {
  const connection = { id: 'c', provider: 'clickup' };
  expect(webhookAddress({ PUBLIC_URL: 'https://desk.example/' }, connection)).toBe('https://desk.example/api/v1/hooks/task-tool/clickup/c');
  expect(webhookAddress({ PUBLIC_URL: 'https://desk.example', WEBHOOK_BASE_URL: 'https://in.example' }, connection)).toBe(
    'https://in.example/api/v1/hooks/task-tool/clickup/c',
  );
});
