import { createHash } from 'node:crypto';

/**
 * Keys for rows without an ID: a hash of the row, and a counter for equal rows. A second import of the same file, or of a longer file
 * whose rows are in another order, finds the records of the first. Memory is 16 bytes per row.
 */
export class RowKeys {
  private hashes = new Float64Array(1024);
  private counts = new Uint32Array(1024);
  private size = 0;

  next(cells: readonly string[]): string {
    const digest = createHash('sha256').update(JSON.stringify(cells)).digest();
    // 52 bits, and never 0, which marks a free slot. Rows that share them have different keys: the key has more bits.
    const hash = digest.readUIntBE(0, 6) * 16 + (digest[6]! >> 4) + 1;
    const count = this.increment(hash);
    const key = digest.toString('base64url').slice(0, 22);
    return count === 1 ? `row-${key}` : `row-${key}-${count}`;
  }

  private increment(hash: number): number {
    if (this.size * 2 > this.hashes.length) this.grow();
    const slot = this.slot(hash);
    if (this.hashes[slot] === 0) {
      this.hashes[slot] = hash;
      this.size++;
    }
    return ++this.counts[slot]!;
  }

  private slot(hash: number): number {
    let slot = hash % this.hashes.length;
    while (this.hashes[slot] !== 0 && this.hashes[slot] !== hash) slot = (slot + 1) % this.hashes.length;
    return slot;
  }

  private grow(): void {
    const { hashes, counts } = this;
    this.hashes = new Float64Array(hashes.length * 2);
    this.counts = new Uint32Array(hashes.length * 2);
    for (const [index, hash] of hashes.entries()) {
      if (hash === 0) continue;
      const slot = this.slot(hash);
      this.hashes[slot] = hash;
      this.counts[slot] = counts[index]!;
    }
  }
}
