import { parseArgs } from 'node:util';
import { takeBackup } from '../backup/backup';
import { filesFolder, Refused } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = 'tandem backup <new folder>';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new Refused(`usage: ${usage}`);
    const begun = Date.now();
    const { databases, has_files } = await takeBackup(directory, { files: filesFolder(), log: (line) => console.log(line) });
    const rows = Object.values(databases).flatMap(({ tables }) => tables.map((table) => table.rows));
    console.log(`Backup complete: ${rows.reduce((sum, n) => sum + n, 0)} rows in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
    if (!has_files) console.log('The files on tickets are not included: back up their folder or bucket now.');
    console.log('Keep ENCRYPTION_KEYS, LINK_SECRET, CONTEXT_SECRET and SESSION_SECRET in another place: the backup does not contain them.');
    return 0;
  },
};
export default command;
