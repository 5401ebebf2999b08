import { parseArgs } from 'node:util';
import { version } from '../../package.json';
import { filesFolder, Refused } from '../installation';
import type { Subcommand } from '../subcommand';
import { upgrade } from '../upgrade';

const usage = 'tandem upgrade <new folder for the backup>';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals } = parseArgs({ args, allowPositionals: true });
    const [directory, ...rest] = positionals;
    if (directory === undefined || rest.length > 0) throw new Refused(`usage: ${usage}`);
    const upgraded = await upgrade(directory, { files: filesFolder(), log: (line) => console.log(line) });
    if (!upgraded) {
      console.log(`The databases have the schema of version ${version} already. No backup was made.`);
      return 0;
    }
    const { report } = upgraded;
    console.log(`The databases have the schema of version ${version}.`);
    if (report?.is_equal === false)
      console.log('They do not agree yet: run tandem check --wait 600 after all services run the new version.');
    console.log('Now start the services of this version, then run: tandem check --wait 600');
    console.log(`The way back: start the previous version. Its code works with this schema.
If data is wrong: stop all services, run the previous version's tandem restore ${directory}, and start the previous version.`);
    return 0;
  },
};
export default command;
