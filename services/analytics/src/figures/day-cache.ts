import type { DayBreakdown } from '../day-roll-ups/day-breakdown';
import type { DayFigures } from '../day-roll-ups/day-figures';
import { PackedDay, type NotPacked } from '../day-roll-ups/packed-day';
import type { Day } from '../local-time/local-time';
import { SizedCache } from './sized-cache';

export interface ParsedDay {
  figures: DayFigures;
  /** Null if it has not been needed. */
  breakdown: DayBreakdown | null;
}

export interface DamagedDays {
  organization_id: string;
  days: Day[];
}

/** The roll-ups that were read last, by revision. Most of a first request is reading and parsing, and other ranges contain the same days. */
export class DayCache {
  readonly #parsed: SizedCache<ParsedDay>;
  readonly #packed: SizedCache<PackedDay | NotPacked>;

  /**
   * @param maxCharacters of JSON; the parsed values take about four bytes for each, and their decoded histograms three more.
   * @param maxBytes of packed days, in memory.
   * @param onDamaged is called when packed days that are damaged have been read.
   */
  constructor(
    maxCharacters: number,
    maxBytes: number,
    readonly onDamaged: (damaged: DamagedDays) => void = () => undefined,
  ) {
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

  packed(revision: string): PackedDay | NotPacked | undefined {
    return this.#packed.get(revision);
  }

  unpack(revision: string, bytes: Buffer | null): PackedDay | NotPacked {
    const packed = PackedDay.read(bytes);
    return this.#packed.set(revision, packed, typeof packed === 'string' ? 200 : packed.size);
  }
}
