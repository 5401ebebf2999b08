import type { OutputOf, readInstallationRecords } from '@tandem/contracts';
import * as z from 'zod';
import { isNewer } from './versions';

declare const __VERSION__: string;
const own = typeof __VERSION__ === 'string' ? __VERSION__ : '0.0.0';

type Notice = OutputOf<typeof readInstallationRecords>['update'];
const Latest = z.object({ version: z.string().max(40) });

/** Versions appear rarely, and the server of UPDATES_URL learns from each request that this installation exists. */
const readEveryMs = 24 * 60 * 60 * 1_000;
/** An operator waits for the response. */
const timeoutMs = 2_000;
const maxBytes = 10_000;

/** Whether a newer version exists: read when an operator opens the page, at most once a day. */
export class Updates {
  #known: { latest: string; at: number } | undefined;

  constructor(
    private readonly url: string | undefined,
    private readonly version = own,
  ) {}

  async read(): Promise<Notice> {
    if (this.url === undefined) return { status: 'off', version: null };
    if (!this.#known || Date.now() - this.#known.at > readEveryMs) {
      const latest = await this.#latest(this.url);
      if (latest !== undefined) this.#known = { latest, at: Date.now() };
    }
    if (!this.#known) return { status: 'unknown', version: null };
    const { latest } = this.#known;
    return { status: isNewer(latest, this.version) ? 'available' : 'current', version: latest };
  }

  async #latest(url: string): Promise<string | undefined> {
    try {
      const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), headers: { accept: 'application/json' } });
      const text = await answer.text();
      if (!answer.ok || text.length > maxBytes) return undefined;
      return Latest.safeParse(JSON.parse(text)).data?.version;
    } catch {
      // The server is down, or its response is not JSON.
      return undefined;
    }
  }
}
