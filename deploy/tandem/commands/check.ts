import { parseArgs } from 'node:util';
import { compareDatabases, untilEqual, type Report } from '../drift';
import { Refused } from '../installation';
import type { Subcommand } from '../subcommand';

const usage = 'tandem check [--wait <seconds>] [--json]';

const command: Subcommand = {
  usage,
  async run(args) {
    const { values } = parseArgs({ args, options: { wait: { type: 'string', default: '10' }, json: { type: 'boolean', default: false } } });
    const seconds = Number(values.wait);
    if (!(seconds >= 0 && seconds <= 86_400)) throw new Refused(`usage: ${usage}`);
    const report = seconds === 0 ? await compareDatabases() : await untilEqual(seconds * 1_000);
    if (values.json) console.log(JSON.stringify(report));
    else print(report);
    return report.is_equal ? 0 : 1;
  },
};
export default command;

function print({ is_equal, differences, pending, problems }: Report): void {
  if (is_equal) return console.log('The five databases agree.');
  for (const { name, organizations, missing, extra } of differences) {
    console.log(`${name}: differ for ${organizations} ${organizations === 1 ? 'organization' : 'organizations'}`);
    for (const key of missing) console.log(`  missing: ${key}`);
    for (const key of extra) console.log(`  only there: ${key}`);
  }
  for (const [kind, count] of Object.entries({ ...pending, ...problems })) console.log(`${kind}: ${count}`);
}
