import type { TicketsTx } from '../schema';
import { findMostViewed } from './help.store';

/** What is viewed most changes slowly, and finding it takes two lookups per article. */
const keptMs = 10 * 60_000;
const maxOrganizations = 1_000;

/** The ids of the most viewed articles of each organization, up to ten minutes old. An empty list is not kept. */
export class MostViewed {
  readonly #lists = new Map<string, { ids: string[]; until: number }>();

  async find(tx: TicketsTx, organization_id: string): Promise<string[]> {
    const kept = this.#lists.get(organization_id);
    if (kept && kept.until > Date.now()) return kept.ids;
    const ids = await findMostViewed(tx, organization_id);
    this.#lists.delete(organization_id);
    const oldest = this.#lists.size >= maxOrganizations ? this.#lists.keys().next().value : undefined;
    if (oldest !== undefined) this.#lists.delete(oldest);
    if (ids.length > 0) this.#lists.set(organization_id, { ids, until: Date.now() + keptMs });
    return ids;
  }
}
