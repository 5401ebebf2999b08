const { stdout } = process;

/** One line per step: what it was and how long it took, or why it failed. */
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

/** A line of its own, also while a step is shown as running. */
export function line(text: string): void {
  stdout.write(stdout.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
}

/** Milliseconds as people read them. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
