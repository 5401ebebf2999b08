const { stdout } = process;

/** Prints one line per step: its name and duration, or why it failed. */
export async function step<T>(name: string, work: (say: (note: string) => void) => Promise<T>): Promise<T> {
  const begun = Date.now();
  const notes: string[] = [];
  if (stdout.isTTY) stdout.write(`  … ${name}`);
  try {
    const result = await work((note) => void notes.push(note));
    line(`  ✓ ${name}  ${seconds(Date.now() - begun)}${notes.length ? `  (${notes.join('; ')})` : ''}`);
    return result;
  } catch (error) {
    line(`  ✗ ${name}`);
    throw error;
  }
}

/** Prints a separate line, even while a step is shown as running. */
export function line(text: string): void {
  stdout.write(stdout.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
}

/** Formats milliseconds for display. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
