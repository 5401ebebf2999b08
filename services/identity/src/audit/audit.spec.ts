import { highestIdBefore, lowestIdFrom } from './audit';

const hourMs = 3_600_000;
const timeOf = (id: string) => Number.parseInt(id.replace(/-/g, '').slice(0, 12), 16);

it('the range of ids tolerates one hour of clock difference in both directions', () => {
  const at = '2026-11-20T10:00:00.000Z';
  expect(timeOf(lowestIdFrom(at))).toBe(Date.parse(at) - hourMs);
  expect(timeOf(highestIdBefore(at))).toBe(Date.parse(at) + hourMs);
});

it('the range of ids exists for every valid time', () => {
  for (const time of ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z']) {
    expect(lowestIdFrom(time)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}$/);
    expect(highestIdBefore(time)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7000-8000-0{12}$/);
  }
});
