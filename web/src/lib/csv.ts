/** Spreadsheets evaluate a text that starts with one of these as a formula. */
const formula = /^[=+\-@\t\r]/;

const fieldOf = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** Lines as a CSV file. The byte order mark makes Excel read it as UTF-8. */
export const csvOf = (lines: (string | number | null)[][]): string =>
  `\uFEFF${lines.map((line) => line.map(fieldOf).join(',')).join('\r\n')}\r\n`;

export function downloadCsv(name: string, lines: (string | number | null)[][]): void {
  const href = URL.createObjectURL(new Blob([csvOf(lines)], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href, download: `${name}.csv` }).click();
  URL.revokeObjectURL(href);
}
