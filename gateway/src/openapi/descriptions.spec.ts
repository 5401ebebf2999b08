import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractComments } from '../../test/contract-comments';

const file = join(__dirname, 'descriptions.json');

it('descriptions.json has the comments of the contracts', () => {
  const text = `${JSON.stringify(contractComments(), null, 2)}\n`;
  if (process.env['UPDATE_DOCS']) writeFileSync(file, text);
  // Written by `npm run docs`.
  expect(readFileSync(file, 'utf8')).toBe(text);
});
