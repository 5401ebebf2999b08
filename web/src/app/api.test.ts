import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const source = join(__dirname, '..');
const sourceFiles = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^testing\/|\/testing\.tsx?$/.test(file))
  .map((file) => join(source, file));
const filesWithEndpoints = sourceFiles.filter((file) => readFileSync(file, 'utf8').includes('.injectEndpoints('));

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

it('all requests are built from the contracts: no other file contains an API path', () => {
  const found = sourceFiles.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const literal = /\bpath: *['"`]|new EventSource\(['"`]|fetch\(['"`]\/api/.exec(text)?.[0];
    return literal ? [`${relative(source, file)}: ${literal}`] : [];
  });
  expect(found).toEqual([]);
});
