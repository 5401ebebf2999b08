const plain = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const accented = 'åƀçðéƒĝĥîĵķļɱñöþɋŕšţûṽŵẋýžÅƁÇÐÉƑĜĤÎĴĶĻṀÑÖÞɊŔŠŢÛṼŴẊÝŽ';
/** Every letter with an accent, and every word 30 % longer. Tags stay. */
const pseudo = (text: string): string =>
  text
    .split(/(<\/?\w+>)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replace(/[A-Za-z]+/g, (word) => word + 'ö'.repeat(Math.ceil(word.length * 0.3)))
            .replace(/[A-Za-z]/g, (letter) => accented.charAt(plain.indexOf(letter))),
    )
    .join('');

/**
 * A compiled message in a pseudo-language, which shows texts that come from no catalog, and boxes that are too narrow. The names of values and
 * plurals stay.
 */
export const pseudoMessage = (message: unknown): unknown => {
  if (typeof message === 'string') return pseudo(message);
  if (!Array.isArray(message)) return message;
  return (message as unknown[]).map((token): unknown => {
    if (!Array.isArray(token)) return pseudoMessage(token);
    const [name, type, choices] = token as [string, string?, unknown?];
    if (typeof choices !== 'object' || choices === null) return token as unknown;
    return [name, type, Object.fromEntries(Object.entries(choices).map(([choice, text]) => [choice, pseudoMessage(text)]))];
  });
};
