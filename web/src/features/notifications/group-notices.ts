import type { Notification } from '@tandem/contracts';

/** The notifications of one ticket, or one that has no ticket. */
export interface NoticeGroup {
  newest: Notification;
  /** Newest first. */
  earlier: Notification[];
}

/** Groups the notifications of each ticket at the position of the newest one. */
export function groupNotices(notices: readonly Notification[]): NoticeGroup[] {
  const groups = new Map<string, NoticeGroup>();
  for (const notice of notices) {
    const key = notice.ticket_id ?? notice.id;
    const group = groups.get(key);
    if (group) group.earlier.push(notice);
    else groups.set(key, { newest: notice, earlier: [] });
  }
  return [...groups.values()];
}
