#!/usr/bin/env node
/** `npm run tandem` in a clone: runs the bundled command with the project's own Node. Plain JavaScript for any Node. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const own = join(root, 'node_modules', '.bin', 'node');
if (existsSync(join(root, 'deploy', 'dist', 'tandem.js'))) {
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'deploy', 'local', 'command.ts'), 'tandem', ...process.argv.slice(2)];
  process.exitCode = spawnSync(existsSync(own) ? own : process.execPath, args, { stdio: 'inherit' }).status ?? 1;
} else {
  console.error('The command is not built yet: run npm start once, or npm run build -w deploy.');
  process.exitCode = 1;
}
