import { existsSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Refused } from '../installation';
import type { Subcommand } from '../subcommand';
import { collectBundle } from '../support-bundle';

const usage = 'tandem support-bundle <new file> [--logs <folder>]';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options: { logs: { type: 'string' } } });
    const [file, ...rest] = positionals;
    if (file === undefined || rest.length > 0) throw new Refused(`usage: ${usage}`);
    if (existsSync(file)) throw new Refused(`${file} exists: choose a new file.`);
    const bundle = await collectBundle(values.logs);
    writeFileSync(file, `${JSON.stringify(bundle, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    console.log(
      `Wrote ${file}. It contains no secrets and no tickets, but host names, table sizes, IDs, and log lines: read it before you send it.`,
    );
    return 0;
  },
};
export default command;
