import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Tandem } from '../generated/client';
import { version } from '../version';
import { CliError } from './failure';

interface Settings {
  url: string;
  token: string;
}

/** `~/.config/tandem/config.json`, or where the system stores the settings of programs. */
export function settingsFile({ env, platform }: Pick<NodeJS.Process, 'env' | 'platform'> = process): string {
  const directory = env.XDG_CONFIG_HOME || (platform === 'win32' && env.APPDATA) || join(homedir(), '.config');
  return join(directory, 'tandem', 'config.json');
}

/** Only the user can read the file, because it contains the token. */
export function saveSettings(settings: Settings): string {
  const file = settingsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Written first under another name: a file that exists would keep its mode, and an interrupted write would lose it.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
  return file;
}

function savedSettings(): Partial<Settings> {
  const file = settingsFile();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return {};
  }
  try {
    return JSON.parse(text) as Partial<Settings>;
  } catch {
    throw new CliError(`${file} is damaged`, 'Run `tandem login` to write it again.', 3);
  }
}

/** The environment takes precedence over `tandem login`. A token is never sent to the URL of other settings. */
export function readSettings(env = process.env): Settings {
  const { TANDEM_URL, TANDEM_TOKEN } = env;
  const saved = TANDEM_URL && TANDEM_TOKEN ? {} : savedSettings();
  const url = TANDEM_URL || saved.url;
  const token = TANDEM_TOKEN || (TANDEM_URL && TANDEM_URL !== saved.url ? undefined : saved.token);
  if (!url || !token) throw new CliError('You are not signed in', 'Run `tandem login`, or set both TANDEM_URL and TANDEM_TOKEN.', 3);
  return { url, token };
}

export const clientFor = ({ url, token }: Settings): Tandem => {
  try {
    return new Tandem({ baseUrl: url, token, userAgent: `tandem-cli/${version}` });
  } catch (error) {
    throw new CliError((error as Error).message, 'Run `tandem login`, or correct TANDEM_URL and TANDEM_TOKEN.', 2);
  }
};
