import { CreateRule, type Rule } from '@tandem/contracts';
import type { TicketsTx } from '../schema';
import type { ActiveRule } from './rule';
import { findActiveRules, type StoredRule } from './rule.store';

/** The active rules of an organization in their order, and those that are not valid any more. */
export interface LoadedRules {
  rules: ActiveRule[];
  invalid: { rule: StoredRule; detail: string }[];
}

interface Entry extends LoadedRules {
  version: number;
  characters: number;
}

/** The sum of all cached rules, as JSON: about 50 MB of memory in the worst case. */
const maxCharacters = 10_000_000;
/** In the order of the last use. */
const entries = new Map<string, Entry>();
let characters = 0;

/** The active rules of the transaction's organization. They are read again when their version has changed. */
export async function loadRules(tx: TicketsTx, organization_id: string, version: number): Promise<LoadedRules> {
  const found = entries.get(organization_id);
  remove(organization_id);
  const entry = found?.version === version ? found : { version, ...parsed(await findActiveRules(tx, organization_id)) };
  remove(organization_id);
  entries.set(organization_id, entry);
  characters += entry.characters;
  for (const oldest of entries.keys()) {
    if (characters <= maxCharacters || entries.size === 1) break;
    remove(oldest);
  }
  return entry;
}

function remove(organization_id: string): void {
  characters -= entries.get(organization_id)?.characters ?? 0;
  entries.delete(organization_id);
}

function parsed(stored: StoredRule[]): Omit<Entry, 'version'> {
  const loaded: Omit<Entry, 'version'> = { rules: [], invalid: [], characters: JSON.stringify(stored).length };
  for (const rule of stored) {
    const { id, version } = rule;
    const { data, error } = CreateRule.safeParse(settingsOf(rule));
    if (data) loaded.rules.push({ id, version, ...data });
    else loaded.invalid.push({ rule, detail: error.issues[0]!.message });
  }
  return loaded;
}

/** The members of a stored rule that admins write. */
export const settingsOf = ({ name, triggers, time, condition, actions, stops, runs, is_active }: StoredRule | Rule) => ({
  name,
  triggers,
  time,
  condition,
  actions,
  stops,
  runs,
  is_active,
});
