type Members = Record<string, unknown>;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Differences in members and types. Either may be null, and lists are compared by their first items. */
export function shapeDifferences(documented: unknown, real: unknown, path = ''): string[] {
  if (documented === null || real === null) return [];
  if (Array.isArray(documented) && Array.isArray(real)) {
    if (documented.length === 0 || real.length === 0) return [];
    return shapeDifferences(documented[0], real[0], `${path}[]`);
  }
  if (!isMembers(documented) || !isMembers(real)) return typeof documented === typeof real && !Array.isArray(real) ? [] : [path];
  const names = new Set([...Object.keys(documented), ...Object.keys(real)]);
  return [...names].flatMap((name) => {
    const at = path === '' ? name : `${path}.${name}`;
    // An id is the name of a member only in records, whose members differ from run to run.
    if (!(name in documented) || !(name in real)) return uuid.test(name) ? [] : [at];
    return shapeDifferences(documented[name], real[name], at);
  });
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** An example needs no more items to show what is in a long list of objects, or of numbers per day. Of days, the last ones have figures. */
function shortened(list: unknown[]): unknown[] {
  const first = list[0];
  if (!isMembers(first)) return list.length > 24 ? list.slice(-2) : list;
  if (list.length <= 7) return list;
  return 'day' in first ? list.slice(-2) : list.slice(0, 2);
}
const firstTime = Date.UTC(2026, 10, 23, 9);

/** The same value with ids, times, addresses and secrets replaced, so that a new recording differs only where the API does. */
export function normalized(value: unknown): unknown {
  const ids = new Map<string, string>();
  const idFor = (id: string) => {
    const known = ids.get(id) ?? `01932d5c-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
    ids.set(id, known);
    return known;
  };
  const text = JSON.stringify(value, (_, part: unknown) => (Array.isArray(part) ? shortened(part) : part));
  const times = [...new Set(text.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g))].sort();
  const replaced = text
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) => new Date(firstTime + times.indexOf(time) * 1_000).toISOString())
    .replace(new RegExp(uuid, 'gi'), idFor)
    .replace(/"(next_cursor|resume_cursor)":"[^"]+"/g, '"$1":"WyJuZXdlc3QiLCIyMDI2LTExLTIzIl0"')
    .replace(/"request_id":"[^"]+"/g, '"request_id":"req-01932d5c9a4e"')
    .replace(/\/files\/[\w.~-]+/g, '/files/eyJmaWxlIjoiMDE5MzJkNWMifQ')
    .replace(/https?:\/\/(?:127\.0\.0\.1|localhost):\d+\/tandem/g, 'https://shop.example/tandem')
    .replace(/https?:\/\/(?:[\w-]+\.)?localhost(?::\d+)?/g, 'https://acme.tandem.example')
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, 'https://app.clickup.com')
    .replace(/person-[0-9a-f]{8}@example\.test/g, 'ada@acme.example')
    .replace(/"acme-[\w-]+"/g, '"acme"')
    .replace(/"(challenge|signature)":"[^"]+"/g, '"$1":"2f4c1bd5b3ef2f7c9f9d7d3a7a0b1f0c7f6d5e4c3b2a19080706050403020100"')
    .replace(/"salt":"[^"]+"/g, '"salt":"9f9d7d3a7a0b1f0c?expires=1795424400"')
    .replace(/"remote_address":"[^"]+"/g, '"remote_address":"203.0.113.7"')
    .replace(/"((?:\w+_)?ms)":[\d.]+/g, '"$1":12')
    .replace(/"webhook-timestamp":"\d+"/g, '"webhook-timestamp":"1795424400"')
    .replace(/"date":"[^"]+"/g, '"date":"Mon, 23 Nov 2026 09:00:00 GMT"')
    .replace(/(v1,)[\w+/=]{40,}/g, '$1K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=')
    .replace(/sha256=[0-9a-f]{64}/g, 'sha256=2f4c1bd5b3ef2f7c9f9d7d3a7a0b1f0c7f6d5e4c3b2a19080706050403020100')
    .replace(/(?<=:)-?\d+\.\d{3,}(?=[,}\]])/g, '0.25');
  return JSON.parse(replaced) as unknown;
}
