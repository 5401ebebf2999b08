import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportDue, type DataOf } from '@tandem/contracts';

/** The sample of the contracts: a week of 42 tickets. */
export const aReport = (): DataOf<typeof reportDue> =>
  reportDue.data.parse(JSON.parse(readFileSync(join(__dirname, '../../../libs/contracts/src/samples/report.due.1.json'), 'utf8')));
