import { cut } from './read';

const longest = 200;
const tokens = /\b(?:Bearer\s+\S+|(?:pk|gh[a-z]|github_pat|sk)_[\w-]{6,}|eyJ[\w-]{10,}\.[\w.-]*)/gi;

/**
 * The tool's own reason for refusing a call: "GitHub: body is too long". It is shown to people and logged, so it is one short line without
 * markup, tokens or characters that change how other text is displayed. Undefined if the tool gave no reason.
 */
export function reasonOf(tool: string, ...words: (string | null | undefined)[]): string | undefined {
  const text = [...new Set(words.map(plain).filter((each) => each !== ''))].join(', ');
  return text === '' ? undefined : cut(`${tool}: ${text}`, longest);
}

const plain = (words: string | null | undefined): string =>
  cut(words ?? '', 10 * longest)
    .toWellFormed()
    .replace(/<[^>]*>?/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(tokens, '…')
    .replace(/\s+/g, ' ')
    .trim();
