import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onPath, versionOf } from './binaries.ts';
import { installDebianPackages, unpackDebianPackages } from './debian-packages.ts';
import { localDirectory } from './local-directory.ts';
import { reason } from './reason.ts';

/** The same engine without windows, which saves 7% of the CPU time of the tests. */
const headlessShell = 'chromium-headless-shell';

/**
 * Finds a working Chromium: CHROMIUM_PATH, one on the PATH, or Debian's (installed if root, otherwise unpacked into `.local/`).
 * `withWindow: false` prefers the headless shell. Throws an error that lists all attempts.
 */
export async function findChromium(log: (line: string) => void, { withWindow = true } = {}): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (await versionOf(given)) return given;
    throw new Error(`CHROMIUM_PATH is set to ${given}, but that does not run`);
  }
  const tried: string[] = [];
  const packages = withWindow ? ['chromium'] : [headlessShell, 'chromium'];
  const onMachine = await firstThatRuns([...packages, 'chromium-browser', 'google-chrome'].map(onPath));
  if (onMachine) return onMachine;
  tried.push('chromium on the PATH: not found');
  for (const name of process.getuid?.() === 0 ? packages : []) {
    log(`installing ${name} by apt-get`);
    try {
      await installDebianPackages([name]);
      const installed = await firstThatRuns([onPath(name)]);
      if (installed) return installed;
      tried.push(`apt-get install ${name}: installed, but does not run`);
    } catch (error) {
      tried.push(`apt-get install ${name}: ${reason(error)}`);
    }
  }
  try {
    const unpacked = await unpackedChromium(log);
    if (await versionOf(unpacked)) return unpacked;
    tried.push("Debian's package, unpacked: does not run here");
  } catch (error) {
    tried.push(`Debian's package, unpacked: ${reason(error)}`);
  }
  throw new Error(
    ['The tests in a browser need Chromium. Tried:', ...tried.map((each) => `  - ${each}`), 'Install it, or set CHROMIUM_PATH.'].join('\n'),
  );
}

/** The unpacked browser needs its own libraries and fonts, so it is started by a small script that sets them. */
async function unpackedChromium(log: (line: string) => void): Promise<string> {
  const { root, libraryPath } = await unpackDebianPackages(
    ['chromium', 'fonts-dejavu-core', 'fontconfig-config'],
    join(localDirectory(), 'packages'),
    log,
  );
  const script = join(localDirectory(), 'packages', 'chromium.sh');
  const fonts = join(localDirectory(), 'packages', 'fonts.conf');
  mkdirSync(join(localDirectory(), 'packages', 'fonts-cache'), { recursive: true });
  const cache = join(localDirectory(), 'packages', 'fonts-cache');
  const directories = `<dir>${root}/usr/share/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${cache}</cachedir>`;
  writeFileSync(fonts, `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>${directories}</fontconfig>\n`);
  const browser = join(root, 'usr/lib/chromium/chromium');
  if (!existsSync(browser)) throw new Error(`no ${browser} in the package`);
  const text = `#!/bin/sh\nexport LD_LIBRARY_PATH='${libraryPath}' FONTCONFIG_FILE='${fonts}'\nexec '${browser}' "$@"\n`;
  writeFileSync(script, text, { mode: 0o755 });
  return script;
}

async function firstThatRuns(files: (string | undefined)[]): Promise<string | undefined> {
  for (const file of files) if (file && (await versionOf(file))) return file;
  return undefined;
}
