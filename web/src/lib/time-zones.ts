/* oxlint-disable staff-texts/inline -- Names of cities, which people type to find a time zone. */
export interface TimeZoneOption {
  value: string;
  /** 'America/New York'. */
  label: string;
  /** Minutes ahead of UTC at this time. */
  offset: number;
  /** Large cities of the zone that are not in its name. */
  cities: readonly string[];
}

const india = ['Mumbai', 'Delhi', 'Bengaluru', 'Bangalore', 'Chennai', 'Hyderabad', 'Pune'];
/** The names of zones have one city each. Browsers know some zones by an older name. */
const cities: Record<string, readonly string[]> = {
  'Africa/Johannesburg': ['Cape Town', 'Durban', 'Pretoria'],
  'Africa/Lagos': ['Abuja'],
  'America/Chicago': ['Dallas', 'Houston', 'Austin', 'Minneapolis', 'New Orleans'],
  'America/Denver': ['Salt Lake City', 'Albuquerque'],
  'America/Los_Angeles': ['San Francisco', 'Seattle', 'San Diego', 'Las Vegas', 'Portland'],
  'America/New_York': ['Boston', 'Washington', 'Miami', 'Atlanta', 'Philadelphia'],
  'America/Sao_Paulo': ['Rio de Janeiro', 'Brasília'],
  'America/Toronto': ['Montreal', 'Ottawa'],
  'America/Vancouver': ['Victoria'],
  'Asia/Calcutta': india,
  'Asia/Dubai': ['Abu Dhabi'],
  'Asia/Ho_Chi_Minh': ['Hanoi'],
  'Asia/Jerusalem': ['Tel Aviv', 'Haifa'],
  'Asia/Karachi': ['Lahore', 'Islamabad'],
  'Asia/Kolkata': india,
  'Asia/Riyadh': ['Jeddah', 'Mecca'],
  'Asia/Saigon': ['Ho Chi Minh City', 'Hanoi'],
  'Asia/Shanghai': ['Beijing', 'Shenzhen', 'Guangzhou', 'Chengdu'],
  'Asia/Tokyo': ['Osaka', 'Kyoto', 'Yokohama'],
  'Australia/Sydney': ['Canberra'],
  'Europe/Amsterdam': ['Rotterdam', 'The Hague'],
  'Europe/Berlin': ['Munich', 'München', 'Hamburg', 'Frankfurt', 'Cologne', 'Köln'],
  'Europe/Istanbul': ['Ankara'],
  'Europe/London': ['Manchester', 'Edinburgh', 'Glasgow', 'Birmingham'],
  'Europe/Madrid': ['Barcelona', 'Valencia'],
  'Europe/Moscow': ['Saint Petersburg'],
  'Europe/Paris': ['Lyon', 'Marseille'],
  'Europe/Rome': ['Milan', 'Naples'],
  'Europe/Warsaw': ['Kraków', 'Gdańsk'],
  'Europe/Zurich': ['Geneva', 'Basel', 'Bern'],
  'Pacific/Auckland': ['Wellington', 'Christchurch'],
};

function offsetOf(timeZone: string, now: number): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(now);
  const [, sign, hours = '0', minutes = '0'] =
    /GMT([+-])(\d+):(\d+)/.exec(parts.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

/** 'UTC+05:30'. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'UTC';
  const minutes = Math.abs(offset);
  return `UTC${offset < 0 ? '−' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

export const zoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** All time zones that the browser knows, plus the configured one. */
export const timeZoneOptions = (current: string, now: number): TimeZoneOption[] =>
  [...new Set([current, 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort().map((value) => ({
    value,
    label: zoneLabel(value),
    offset: offsetOf(value, now),
    cities: cities[value] ?? [],
  }));

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();

/** The offset in '+2', 'UTC+02:00' or 'gmt-330', in minutes; with only an hour, any minutes of that hour match. */
function offsetIn(word: string): ((offset: number) => boolean) | undefined {
  const [, sign, hours, minutes] = /^(?:utc|gmt)?([+\-−])(\d{1,2})(?::?(\d{2}))?$/.exec(word) ?? [];
  if (!sign || !hours) return undefined;
  const factor = sign === '+' ? 1 : -1;
  if (minutes) return (offset) => offset === factor * (Number(hours) * 60 + Number(minutes));
  return (offset) => Math.trunc(offset / 60) === factor * Number(hours) && (offset === 0 || Math.sign(offset) === factor);
}

/** The zones that match each word of the text by name, city or offset; those whose city begins with it first. */
export function searchZones(options: readonly TimeZoneOption[], text: string): TimeZoneOption[] {
  const wanted = plain(text).trim();
  const words = wanted.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...options];
  const tests = words.map((word) => {
    const isOffset = offsetIn(word);
    return (option: TimeZoneOption, names: string) => (isOffset ? isOffset(option.offset) : names.includes(word));
  });
  const found = options.filter((option) => {
    const names = plain([option.label, ...option.cities].join(' '));
    return tests.every((matches) => matches(option, names));
  });
  const begins = ({ label, cities: others }: TimeZoneOption) =>
    [label.slice(label.lastIndexOf('/') + 1), ...others].some((city) => plain(city).startsWith(wanted));
  // The list shows only the first cities of a zone, so the searched ones come first.
  const isSearched = (city: string) => words.some((word) => plain(city).includes(word));
  return [...found.filter(begins), ...found.filter((option) => !begins(option))].map((option) => ({
    ...option,
    cities: option.cities.toSorted((one, other) => Number(isSearched(other)) - Number(isSearched(one))),
  }));
}
