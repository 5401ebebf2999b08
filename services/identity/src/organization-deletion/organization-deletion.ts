import { deletionRules } from '@tandem/contracts/values';

const dayMs = 86_400_000;

export interface RequestedDeletion {
  deletion_at: string | null;
  deletion_reminded_at: string | null;
}

/**
 * What is due for an organization at `nowMs`:
 * - `remind`: the admins are reminded.
 * - `postpone`: the date has passed without a reminder, because the installation was down. No admin could cancel in the last days, so the
 *   organization is deleted some days later, and the admins are reminded now.
 * - `delete`: the organization is deleted.
 */
export function dueStep({ deletion_at, deletion_reminded_at }: RequestedDeletion, nowMs: number): 'remind' | 'postpone' | 'delete' | null {
  if (deletion_at === null) return null;
  const leftMs = Date.parse(deletion_at) - nowMs;
  if (leftMs <= 0) return deletion_reminded_at === null ? 'postpone' : 'delete';
  return deletion_reminded_at === null && leftMs <= deletionRules.reminderDays * dayMs ? 'remind' : null;
}

/** As typed: only spaces around it do not count, which names do not have, and the way in which a keyboard composes accents. */
export const isSameName = (typed: string, name: string): boolean => typed.trim().normalize('NFC') === name.normalize('NFC');
