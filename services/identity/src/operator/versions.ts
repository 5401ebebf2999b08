const partsOf = (version: string): number[] | undefined => {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(version);
  return found?.slice(1).map(Number);
};

/** Whether `version` is newer than `other`; false for text that is not a version. */
export function isNewer(version: string, other: string): boolean {
  const [one, two] = [partsOf(version), partsOf(other)];
  if (!one || !two) return false;
  const different = one.findIndex((part, i) => part !== two[i]);
  return different >= 0 && one[different]! > two[different]!;
}
