import { decodeList } from '@tandem/contracts/values';

/** Reads a filter from its URL parameter. An invalid value counts as all. */
export type Parser<Value> = (value: string | null) => Value | undefined;

export const oneOf = <T extends string>(values: readonly T[], value: string | null): T | undefined => values.find((each) => each === value);

export const several = (value: string | null): string[] => [
  ...new Set(
    decodeList(value ?? '')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  ),
];
/** In the order of `values` rather than of the URL, so that the same choice gives the same list. */
export const someOf = <T extends string>(values: readonly T[], value: string | null): T[] => {
  const wanted = new Set(several(value));
  return values.filter((each) => wanted.has(each));
};
/** A day or an instant. */
export const instant: Parser<string> = (value) =>
  value && /^\d{4}-\d{2}-\d{2}(T.+Z)?$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;
