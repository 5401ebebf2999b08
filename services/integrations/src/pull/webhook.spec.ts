import type { InboundChange } from '../provider/task-tool';
import { anyComment } from '../engine/link-values';
import { summarizeChanges, applyNotice, webhookAddress, type TaskNotice, type NotifiedLink } from './webhook';

const at = (second: number) => `2026-11-22T00:00:${String(second).padStart(2, '0')}.000Z`;
const change = (overrides: Partial<InboundChange>): InboundChange => ({
  event: 'e',
  kind: 'task',
  task_id: 't',
  list_id: null,
  comment_id: null,
  actor_id: null,
  at: at(1),
  ...overrides,
});

const us = { account_id: 'us', time_step_ms: 1 };

describe('webhooks about a task', () => {
  const changes = [
    change({ at: at(2) }),
    change({ at: at(5) }),
    change({ kind: 'comment', comment_id: 'c1', at: at(4) }),
    change({ kind: 'comment', comment_id: 'c2', at: at(3) }),
    change({ kind: 'other', at: at(9) }),
    change({ kind: 'task', task_id: null }),
    change({ kind: 'list_deleted', task_id: null, list_id: 'l' }),
  ];
  const expected = { notified_at: at(5), is_undated: false };

  it('are combined to its latest time and its comments, in any order and number', () => {
    for (const order of [changes, changes.toReversed(), [...changes, ...changes]]) {
      const { tasks, deleted_lists } = summarizeChanges(order, us);
      expect([...tasks.keys()]).toEqual(['t']);
      expect(tasks.get('t')).toMatchObject(expected);
      expect(tasks.get('t')!.comment_ids.toSorted()).toEqual(['c1', 'c2']);
      expect([...deleted_lists]).toEqual(['l']);
    }
  });

  it('of our own account count as known a little longer, because most report our own writes', () => {
    const notifiedAt = (actor_id: string) => summarizeChanges([change({ actor_id, at: at(5) })], us).tasks.get('t')!.notified_at;
    expect([notifiedAt('us'), notifiedAt('them')]).toEqual([at(3), at(5)]);
  });

  it('report the end of the second if the tool’s times are whole seconds: the same second may contain another change', () => {
    const notifiedAt = (actor_id: string) =>
      summarizeChanges([change({ actor_id, at: at(5) })], { ...us, time_step_ms: 1_000 }).tasks.get('t')!.notified_at;
    expect([notifiedAt('us'), notifiedAt('them')]).toEqual([at(3), '2026-11-22T00:00:05.999Z']);
  });

  it('may lack a time, or the id of a comment', () => {
    const { tasks } = summarizeChanges([change({ kind: 'task_deleted', at: null }), change({ kind: 'comment', at: null })], us);
    expect(tasks.get('t')).toEqual({ notified_at: null, is_undated: true, comment_ids: [anyComment] });
  });
});

describe('a link', () => {
  const link = (overrides: Partial<NotifiedLink> = {}): NotifiedLink => ({
    state: 'linked',
    task_read_at: at(5),
    task_notified_at: null,
    pending_comment_ids: [],
    ...overrides,
  });
  const notice = (overrides: Partial<TaskNotice> = {}): TaskNotice => ({
    notified_at: null,
    is_undated: false,
    comment_ids: [],
    ...overrides,
  });
  const noneKnown = () => false;

  it('is due for a change later than the last read, and not for our own echo', () => {
    expect(applyNotice(link(), notice({ notified_at: at(6) }), noneKnown, at(7))).toMatchObject({ task_notified_at: at(6), is_due: true });
    expect(applyNotice(link(), notice({ notified_at: at(5) }), noneKnown, at(7))).toMatchObject({ is_due: false });
    expect(applyNotice(link(), notice({ notified_at: at(4) }), noneKnown, at(7))).toMatchObject({ is_due: false });
  });

  it('is not due again for the same report, nor for an older one', () => {
    for (const notified_at of [at(6), at(5), at(7)])
      expect(applyNotice(link({ task_notified_at: at(7) }), notice({ notified_at }), noneKnown, at(9))).toMatchObject({
        task_notified_at: at(7),
        is_due: false,
      });
  });

  it('is due for a report without a time, even if the tool’s clock is ahead', () => {
    expect(applyNotice(link(), notice({ is_undated: true }), noneKnown, at(3)).is_due).toBe(true);
    expect(applyNotice(link(), notice({ is_undated: true }), noneKnown, at(8))).toMatchObject({ task_notified_at: at(8), is_due: true });
  });

  it('is due for an unknown comment, once', () => {
    const notifiedAt = applyNotice(link(), notice({ comment_ids: ['ours', 'theirs'] }), (id) => id === 'ours', at(9));
    expect(notifiedAt).toMatchObject({ pending_comment_ids: ['theirs'], task_notified_at: null, is_due: true });
    const again = applyNotice(link({ pending_comment_ids: ['theirs'] }), notice({ comment_ids: ['theirs'] }), noneKnown, at(9));
    expect(again).toMatchObject({ pending_comment_ids: ['theirs'], is_due: false });
  });

  it('with very many reported comments lists none of them, and is due for the next one', () => {
    const comment_ids = Array.from({ length: 51 }, (_, i) => `c${i}`);
    expect(applyNotice(link(), notice({ comment_ids: comment_ids.slice(1) }), noneKnown, at(9)).pending_comment_ids).toHaveLength(50);
    const { pending_comment_ids } = applyNotice(link(), notice({ comment_ids }), noneKnown, at(9));
    expect(pending_comment_ids).toEqual([anyComment]);
    expect(applyNotice(link({ pending_comment_ids }), notice({ comment_ids: ['next'] }), noneKnown, at(9)).is_due).toBe(true);
  });

  it('that waits for a person records reports without becoming due', () => {
    for (const state of ['stopped', 'failed', 'gone'] as const)
      expect(applyNotice(link({ state }), notice({ notified_at: at(6) }), noneKnown, at(9))).toMatchObject({
        task_notified_at: at(6),
        is_due: false,
      });
  });
});

it('is sent to the public URL of its connection', () => {
  const connection = { id: 'c', provider: 'clickup' };
  expect(webhookAddress({ PUBLIC_URL: 'https://desk.example/' }, connection)).toBe('https://desk.example/api/v1/hooks/task-tool/clickup/c');
  expect(webhookAddress({ PUBLIC_URL: 'https://desk.example', WEBHOOK_BASE_URL: 'https://in.example' }, connection)).toBe(
    'https://in.example/api/v1/hooks/task-tool/clickup/c',
  );
});
