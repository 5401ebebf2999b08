import { offsetText, searchZones, timeZoneOptions } from './time-zones';

const summer = Date.UTC(2026, 6, 1);
const options = timeZoneOptions('Europe/Berlin', summer);
const found = (text: string) => searchZones(options, text).map(({ value }) => value);

describe('time zones', () => {
  it.each([
    ['berl', 'Europe/Berlin'],
    ['munchen', 'Europe/Berlin'],
    ['San Francisco', 'America/Los_Angeles'],
    ['new york', 'America/New_York'],
    ['sao p', 'America/Sao_Paulo'],
  ])('are found by a city: %s', (text, zone) => expect(found(text)[0]).toBe(zone));
  it('are found in India, which browsers know by two names', () => expect(found('mumbai')[0]).toMatch(/^Asia\/(Kolkata|Calcutta)$/));
  it.each(['+2', 'UTC+2', 'gmt+02:00', '+0200'])('are found by their offset at this time of the year: %s', (text) => {
    expect(found(text)).toContain('Europe/Berlin');
    expect(found(text)).not.toContain('Europe/London');
  });
  it('with half an hour are found with and without it', () => {
    expect(found('+5 mumbai')).toHaveLength(1);
    expect(found('+5:30 mumbai')).toHaveLength(1);
    expect(found('+5:00 mumbai')).toEqual([]);
    expect(found('-5 mumbai')).toEqual([]);
  });
  it('list the searched city first', () => expect(searchZones(options, 'frankfurt')[0]?.cities[0]).toBe('Frankfurt'));
  it('must match each word', () => {
    expect(found('europe +1 london')).toEqual(['Europe/London']);
    expect(found('nowhere')).toEqual([]);
    expect(found('  ')).toHaveLength(options.length);
  });
  it('show their offset as text', () => expect([0, 330, -210].map(offsetText)).toEqual(['UTC', 'UTC+05:30', 'UTC−03:30']));
});
