import type { DayBreakdown } from '../day-roll-ups/day-breakdown';
import type { DayFigures } from '../day-roll-ups/day-figures';
import { PackedDay } from '../day-roll-ups/packed-day';
import { SizedCache } from './sized-cache';

export interface ParsedDay {
  figures: DayFigures;
  /** Null if it has not been needed. */
  breakdown: DayBreakdown | null;
}

/** The roll-ups that were read last, by revision. Most of a first request is reading and parsing, and other ranges contain the same days. */
export class DayCache {
  readonly #parsed: SizedCache<ParsedDay>;
  readonly #packed: SizedCache<PackedDay | null>;

  /**
   * @param maxCharacters of JSON; the parsed values take about four bytes for each.
   * @param maxBytes of packed days, in memory.
   */
  constructor(maxCharacters: number, maxBytes: number) {
    this.#parsed = new SizedCache(maxCharacters);
    this.#packed = new SizedCache(maxBytes);
  }

  parsed(revision: string, needsBreakdown: boolean): ParsedDay | undefined {
    const found = this.#parsed.get(revision);
    return needsBreakdown && !found?.breakdown ? undefined : found;
  }

  parse(revision: string, figures: string, breakdown: string | null): ParsedDay {
    const day = {
      figures: JSON.parse(figures) as DayFigures,
      breakdown: breakdown === null ? null : (JSON.parse(breakdown) as DayBreakdown),
    };
    return this.#parsed.set(revision, day, figures.length + (breakdown?.length ?? 0));
  }

  /** Null for a day that is not packed. */
  packed(revision: string): PackedDay | null | undefined {
    return this.#packed.get(revision);
  }

  unpack(revision: string, packed: Buffer | null): PackedDay | null {
    const day = PackedDay.read(packed);
    return this.#packed.set(revision, day, day?.size ?? 200);
  }
}
