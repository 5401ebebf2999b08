import type { TaskSnapshot } from '../provider/task-tool';
import {
  commentsReadUntil,
  isScanDue,
  isDescriptionDue,
  isNewer,
  mayHaveLostComment,
  readSince,
  readSinceNotified,
  includesNotified,
} from './reconcile';

const at = (text: string) => `2026-11-22T${text}.000Z`;
const shown = (time: string) => ({ updated_at: time }) as TaskSnapshot;

it('a list is read from a second before its last known change, a new one from before its creation', () => {
  expect(readSince({ list_read_until: at('10:00:01'), created_at: at('09:00:00') })).toBe(at('10:00:00'));
  expect(readSince({ list_read_until: null, created_at: at('09:05:00') })).toBe(at('09:00:00'));
  expect(readSinceNotified([at('10:00:09'), at('10:00:03'), at('10:00:05')])).toBe(at('10:00:02'));
});

it('statuses are read every hour, all tasks are scanned every day', () => {
  expect(isDescriptionDue({ described_at: null }, at('10:00:00'))).toBe(true);
  expect(isDescriptionDue({ described_at: at('09:00:01') }, at('10:00:00'))).toBe(false);
  expect(isDescriptionDue({ described_at: at('09:00:00') }, at('10:00:00'))).toBe(true);
  const created_at = '2026-11-01T00:00:00.000Z';
  expect(isScanDue({ scan_started_at: null, scanned_at: null, created_at }, at('10:00:00'))).toBe(true);
  expect(isScanDue({ scan_started_at: null, scanned_at: null, created_at: at('09:00:00') }, at('10:00:00'))).toBe(false);
  expect(isScanDue({ scan_started_at: null, scanned_at: at('09:00:00'), created_at }, at('10:00:00'))).toBe(false);
  expect(isScanDue({ scan_started_at: at('09:59:00'), scanned_at: at('09:00:00'), created_at }, at('10:00:00'))).toBe(true);
});

it('a snapshot is newer if its task changed after it was last read', () => {
  expect(isNewer({ task_read_at: null }, shown(at('10:00:00')))).toBe(true);
  expect(isNewer({ task_read_at: at('10:00:00') }, shown(at('10:00:00')))).toBe(false);
  expect(isNewer({ task_read_at: at('10:00:00') }, shown(at('10:00:01')))).toBe(true);
});

it('comments are read if a task changed after they were last read, however shortly', () => {
  const [unread, read] = [{ comments_read_until: null }, { comments_read_until: at('10:00:05') }];
  expect(mayHaveLostComment(unread, shown(at('10:00:00')))).toBe(true);
  expect(mayHaveLostComment(read, shown(at('10:00:05')))).toBe(false);
  expect(mayHaveLostComment(read, shown('2026-11-22T10:00:05.001Z'))).toBe(true);
});

it('comments of a recent change are read once more if the times of a tool are coarse', () => {
  const changed = at('10:00:05');
  expect(commentsReadUntil(changed, 1, changed)).toBe(changed);
  expect(commentsReadUntil(changed, 1_000, changed)).toBe('2026-11-22T10:00:04.999Z');
  expect(commentsReadUntil(changed, 1_000, at('10:05:05'))).toBe(changed);
});

it('a snapshot includes a reported change although its own time is a moment older', () => {
  expect(includesNotified(shown(at('10:00:00')), at('10:00:01'))).toBe(true);
  expect(includesNotified(shown(at('10:00:00')), at('10:00:03'))).toBe(false);
});
