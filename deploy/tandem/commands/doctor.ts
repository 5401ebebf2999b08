import { parseArgs } from 'node:util';
import { diagnose, type Diagnosis } from '../doctor/doctor';
import type { Subcommand } from '../subcommand';

const marks = { ok: 'ok     ', warning: 'warning', error: 'ERROR  ' };

const command: Subcommand = {
  usage: 'tandem doctor [--json]',
  async run(args) {
    const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } });
    const findings = await diagnose();
    const is_ok = findings.every(({ status }) => status !== 'error');
    if (values.json) console.log(JSON.stringify({ is_ok, findings }));
    else for (const finding of findings) print(finding);
    return is_ok ? 0 : 1;
  },
};
export default command;

function print({ check, status, message, fix }: Diagnosis): void {
  console.log(`${marks[status]} ${check}: ${message}`);
  if (fix !== undefined) console.log(`        ${fix}`);
}
