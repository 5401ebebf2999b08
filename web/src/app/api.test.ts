import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(__dirname, '..');
const filesWithEndpoints = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
  .map((file) => join(source, file))
  .filter((file) => readFileSync(file, 'utf8').includes('.injectEndpoints('));

it('every file that adds endpoints throws on a duplicate name', () => {
  expect(filesWithEndpoints.length).toBeGreaterThan(20);
  for (const file of filesWithEndpoints) {
    const text = readFileSync(file, 'utf8');
    expect({ file, calls: text.split("overrideExisting: 'throw'").length }).toEqual({
      file,
      calls: text.split('.injectEndpoints({').length,
    });
  }
});

it('all endpoints of the app have different names', async () => {
  for (const file of filesWithEndpoints) await expect(import(file)).resolves.toBeDefined();
});
