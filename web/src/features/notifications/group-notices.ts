import type { Notification } from '@tandem/contracts';

/** The notifications of one ticket, or one that has no ticket. */
export interface NoticeGroup {
  newest: Notification;
  /** Newest first. */
  earlier: Notification[];
}

/** Puts the notifications of a ticket together, where its newest one is. */
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
