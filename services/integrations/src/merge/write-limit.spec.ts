import { countWrite, type Writes } from './write-limit';

const at = (seconds: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + seconds * 1_000).toISOString();
/** The number of writes, one every `seconds`, after which a loop is detected; undefined if none is within 500. */
function loopAfter(seconds: number): [number, string] | undefined {
  let writes: Writes = { writes: 0, write_window_start: null, hour_writes: 0, hour_window_start: null };
  for (let i = 1; i <= 500; i += 1) {
    const { counted, loop } = countWrite(writes, at(i * seconds));
    if (loop) return [i, loop];
    writes = counted;
  }
  return undefined;
}

it('more than 20 writes in a minute are a loop', () => expect(loopAfter(1)).toEqual([21, 'minute']));
it('more than 120 in an hour are a loop, even if slow', () => expect(loopAfter(10)).toEqual([121, 'hour']));
it('two a minute are not a loop', () => expect(loopAfter(31)).toBeUndefined());
