/** The full message of an error, including what the failed tool wrote. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr } = error as { stderr?: string };
  const inner = error instanceof AggregateError ? error.errors.map((each) => reason(each)).join('; ') : '';
  return [
    error.message || inner || (error as NodeJS.ErrnoException).code || error.name,
    stderr && !error.message.includes(stderr.trim()) ? stderr.trim() : '',
  ]
    .filter(Boolean)
    .join('\n');
}
