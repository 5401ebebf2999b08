import { isNewer } from './versions';

it.each([
  ['0.3.0', '0.2.9', true],
  ['0.10.0', '0.9.9', true],
  ['v1.0.0', '0.99.0', true],
  ['0.2.0', '0.2.0', false],
  ['0.1.9', '0.2.0', false],
  ['soon', '0.2.0', false],
  ['0.3.0', 'development', false],
])('%s is newer than %s: %s', (version, other, expected) => expect(isNewer(version, other)).toBe(expected));
