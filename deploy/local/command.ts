/** Runs a bundled command (deploy/dist/<name>.js) against the installation that `npm start` runs here. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressesFile } from './local-app.ts';
import { localDirectory, repository } from './local-directory.ts';
import { projectNode } from './mailbox.ts';

const [name = '', ...args] = process.argv.slice(2);
const file = join(localDirectory(), addressesFile);
const addresses = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
const env = { ...addresses, ...process.env };
const { status } = spawnSync(projectNode(), [join(repository, 'deploy', 'dist', `${name}.js`), ...args], { stdio: 'inherit', env });
process.exitCode = status ?? 1;
