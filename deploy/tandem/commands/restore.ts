import { parseArgs } from 'node:util';
import { restoreBackup } from '../backup/restore';
import { filesFolder, Refused } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = 'tandem restore <folder> [--number-gap 1000] [--unsent-emails send|hold]';

const command: Subcommand = {
  usage,
  async run(args) {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: { 'number-gap': { type: 'string', default: '1000' }, 'unsent-emails': { type: 'string' } },
    });
    const [directory, ...rest] = positionals;
    const [numberGap, unsentEmails] = [Number(values['number-gap']), values['unsent-emails']];
    const isValid = directory !== undefined && rest.length === 0 && Number.isInteger(numberGap) && numberGap >= 0 && numberGap <= 1_000_000;
    if (!isValid || !(unsentEmails === undefined || unsentEmails === 'send' || unsentEmails === 'hold'))
      throw new Refused(`usage: ${usage}`);
    const begun = Date.now();
    const restored = await restoreBackup(directory, { numberGap, unsentEmails, files: filesFolder(), log: (line) => console.log(line) });
    console.log(`Restored in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
    for (const [line, count] of [
      ['organizations removed that identity did not have', restored.unknown_organizations],
      ['members deactivated that identity did not have', restored.unknown_members],
      ['tickets removed from other services that tickets did not have', restored.unknown_tickets],
      ['tickets without the link to their task, which is searched at the task tool', restored.cleared_tasks],
      ['pending emails not sent, because they may have been sent after the backup', restored.held_emails],
    ] as const)
      if (count > 0) console.log(`${count} ${line}`);
    if (restored.replaced.length > 0)
      console.log(`The replaced databases are now ${restored.replaced.join(', ')}. Drop them when you no longer need them.`);
    console.log('Start the services, then run: tandem check --wait 600');
    return 0;
  },
};
export default command;
