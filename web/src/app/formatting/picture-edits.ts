import { pictureMarkdown } from '@tandem/contracts/values';
import type { Edit, Selection } from './formatting';

/** The names of files with a number where a name is taken: pasted pictures are all named `image.png`. */
export function uniqueNames(names: string[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return names.map((name) => {
    const [, stem = name, ending = ''] = /^(.+?)(\.[^.]*)?$/s.exec(name) ?? [];
    let unique = name;
    for (let number = 2; used.has(unique); number += 1) unique = `${stem}-${number}${ending}`;
    used.add(unique);
    return unique;
  });
}

/** Puts pictures on separate lines at the cursor. */
export function insertPictures({ text, from, to }: Selection, names: string[]): Edit {
  const before = from === 0 || text[from - 1] === '\n' ? '' : '\n';
  const insert = `${before}${names.map(pictureMarkdown).join('\n')}\n`;
  return { from, to, insert, select: { from: from + insert.length, to: from + insert.length } };
}

/** The text without a picture whose file was removed. */
export const withoutPicture = (text: string, name: string): string =>
  text.split('\n').flatMap((line) => {
    if (!line.includes(pictureMarkdown(name))) return [line];
    const rest = line.replaceAll(pictureMarkdown(name), '');
    return rest.trim() === '' ? [] : [rest];
  }).join('\n'); // prettier-ignore
