const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in its largest unit, as badges have room for: '25 min', '2 h', '3 d'. Never '0 min'. */
export function shortSpan(ms: number): string {
  if (ms < hour) return `${Math.max(1, Math.floor(ms / minute))} min`;
  if (ms < 2 * day) return `${Math.floor(ms / hour)} h`;
  return `${Math.floor(ms / day)} d`;
}

/** Working time: '40 min', '5 h 20 min', '71 h'. In hours only, for a working day has not 24 of them. */
export function workingSpan(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes));
  const hours = Math.floor(whole / 60);
  const rest = whole % 60;
  if (hours === 0) return `${rest} min`;
  return hours >= 24 || rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
