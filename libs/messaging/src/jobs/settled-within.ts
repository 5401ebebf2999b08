/** Whether all promises in `work` settled, fulfilled or rejected, within `ms` milliseconds. */
export async function settledWithin(ms: number, work: Iterable<Promise<unknown>>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const inTime = await Promise.race([Promise.allSettled(work).then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
