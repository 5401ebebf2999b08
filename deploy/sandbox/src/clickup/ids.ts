import { randomInt } from 'node:crypto';

/**
 * Ids in ClickUp's format: tasks are short base-36 strings; lists, folders, spaces and workspaces are decimal strings far above 2^32;
 * comments are numbers; fields and webhooks are UUIDs. Two sandboxes with the same seed and the same operations produce the same ids.
 */
export class Ids {
  readonly seed: number;

  constructor(
    seed?: number,
    public given = 0,
  ) {
    this.seed = seed ?? randomInt(1, 1_000_000);
  }

  private next(): number {
    return ++this.given;
  }

  /** `90160` + seed + running number: above 2^32, below 2^53. */
  place(): string {
    return `9016${String(this.seed % 1_000_000).padStart(6, '0')}${String(this.next()).padStart(2, '0')}`;
  }

  task(): string {
    return `86${(36 ** 4 + (this.seed % 1_000_000)).toString(36)}${this.next().toString(36).padStart(3, '0')}`;
  }

  comment(): number {
    return 90_160_000_000_000 + (this.seed % 1_000_000) * 10_000_000 + this.next();
  }

  /** 19 digits: too large for a JavaScript number to represent exactly. */
  history(): string {
    return (4_000_000_000_000_000_000n + BigInt(this.seed) * 1_000_000_000_000n + BigInt(this.next())).toString();
  }

  uuid(): string {
    const hex = `${this.seed.toString(16).padStart(8, '0')}${this.next().toString(16).padStart(12, '0')}`;
    return `${hex.slice(0, 8)}-0000-4000-8000-${hex.slice(8)}`;
  }
}
