import { webhookRules } from '@tandem/contracts/values';

const units: [string, number][] = [
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];
/** 7,235 seconds as '2 h 35 s', in at most two units. */
function duration(seconds: number): string {
  let rest = seconds;
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ') || 'immediately';
}

/** Each attempt with the delay before it, and the time since the event. */
export function retryTable(): string[][] {
  let total = 0;
  return webhookRules.delaysSeconds.map((delay, at) => {
    total += delay;
    return [String(at + 1), duration(delay), duration(total)];
  });
}
