import { brandingRules } from '@tandem/contracts';

export type ImageType = (typeof brandingRules.assetTypes)[number];

/** ICO has no distinctive signature, so its directory entries must point to existing bytes. */
function isIcon(bytes: Buffer): boolean {
  if (bytes.length < 22 || bytes.readUInt32LE(0) !== 0x00010000) return false;
  const count = bytes.readUInt16LE(4);
  if (count === 0 || bytes.length < 6 + 16 * count) return false;
  return Array.from({ length: count }, (_, index) => 6 + 16 * index).every((entry) => {
    const [size, offset] = [bytes.readUInt32LE(entry + 8), bytes.readUInt32LE(entry + 12)];
    return bytes[entry + 3] === 0 && size > 0 && offset >= 6 + 16 * count && offset + size <= bytes.length;
  });
}

/**
 * Detects the picture type from the first bytes; undefined for anything but the five supported types. SVG and HTML, which can contain
 * scripts, match none of them.
 */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  const starts = (hex: string, at = 0) => bytes.subarray(at, at + hex.length / 2).toString('hex') === hex;
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('474946383761') || starts('474946383961')) return 'image/gif';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return isIcon(bytes) ? 'image/x-icon' : undefined;
}
