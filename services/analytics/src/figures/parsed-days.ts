import type { DayBreakdown } from '../day-roll-ups/day-breakdown';
import type { DayFigures } from '../day-roll-ups/day-figures';

export interface ParsedDay {
  figures: DayFigures;
  /** Null if it has not been needed. */
  breakdown: DayBreakdown | null;
}

/** The parsed roll-ups that were read last, by revision. A first request mostly parses, and other ranges contain the same days. */
export class ParsedDays {
  readonly #days = new Map<string, ParsedDay & { characters: number }>();
  #characters = 0;

  /** @param maxCharacters of JSON; the parsed values take about four bytes for each. */
  constructor(private readonly maxCharacters: number) {}

  get(revision: string, needsBreakdown: boolean): ParsedDay | undefined {
    const found = this.#days.get(revision);
    if (!found || (needsBreakdown && !found.breakdown)) return undefined;
    this.#days.delete(revision);
    this.#days.set(revision, found);
    return found;
  }

  parse(revision: string, figures: string, breakdown: string | null): ParsedDay {
    this.#remove(revision);
    const characters = figures.length + (breakdown?.length ?? 0);
    const day = {
      figures: JSON.parse(figures) as DayFigures,
      breakdown: breakdown === null ? null : (JSON.parse(breakdown) as DayBreakdown),
      characters,
    };
    this.#days.set(revision, day);
    this.#characters += characters;
    while (this.#characters > this.maxCharacters) this.#remove(this.#days.keys().next().value!);
    return day;
  }

  #remove(revision: string): void {
    const found = this.#days.get(revision);
    if (!found) return;
    this.#days.delete(revision);
    this.#characters -= found.characters;
  }
}
