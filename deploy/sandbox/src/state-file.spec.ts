import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateFile } from './state-file';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sandbox-state-'))));
afterEach(() => rm(folder, { recursive: true }));

it('flushed data is complete for the next process, and readable by its owner only', async () => {
  const path = join(folder, 'new', 'state.json');
  expect(await StateFile.read(path)).toBeUndefined();
  let state = { tasks: 1 };
  const file = new StateFile(path, () => state, 60_000);
  await file.flush();
  state = { tasks: 2 };
  file.changed();
  await Promise.all([file.flush(), file.flush()]);
  expect(await StateFile.read(path)).toEqual({ tasks: 2 });
  expect(await readdir(join(folder, 'new'))).toEqual(['state.json']);
  expect((await stat(path)).mode & 0o077).toBe(0);
});

it('many changes are written once, after a short delay', async () => {
  let written = 0;
  const path = join(folder, 'state.json');
  const file = new StateFile(path, () => ({ written: ++written }), 20);
  for (let n = 0; n < 100; n++) file.changed();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await file.flush();
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ written: expect.any(Number) });
  expect(written).toBeLessThanOrEqual(2);
});

it('a corrupt file is not treated as an empty one', async () => {
  const path = join(folder, 'state.json');
  await writeFile(path, '{"tasks":');
  await expect(StateFile.read(path)).rejects.toThrow();
});
