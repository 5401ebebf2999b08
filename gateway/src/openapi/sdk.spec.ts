import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sdkModules } from '../../test/sdk-module';

const folder = join(__dirname, '../../../libs/sdk/src/generated');

it.each(['types', 'client'] as const)('the client of libs/sdk has all operations that tokens may call: %s', (part) => {
  const file = join(folder, `${part}.ts`);
  const text = sdkModules()[part];
  if (process.env['UPDATE_DOCS']) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text);
  }
  // Written by `npm run docs`.
  expect(readFileSync(file, 'utf8')).toBe(text);
});
