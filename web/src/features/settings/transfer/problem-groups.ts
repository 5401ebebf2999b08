import type { Import, ImportProblem } from '@tandem/contracts';
import { listImportProblems } from '@tandem/contracts/endpoints';
import { importProblems, recordKindNames, type ImportProblemCode } from '@tandem/contracts/values';
import { call } from '../../../lib/call';
import { downloadCsv } from '../../../lib/csv';
import { sendSignedIn } from '../../../lib/http';
import type { ApiProblem } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';

export interface ProblemGroup {
  code: ImportProblemCode;
  title: string;
  isError: boolean;
  count: number;
}

/** Those that leave records out first, then the most frequent ones. */
export function problemGroups(problems: Import['problems']): ProblemGroup[] {
  const groups = (Object.keys(problems) as ImportProblemCode[]).map((code) => {
    // A newer server may report codes that this page does not know.
    const known = (importProblems as Partial<Record<string, { severity: string; title: string }>>)[code];
    return { code, title: known?.title ?? code, isError: known?.severity !== 'warning', count: problems[code] ?? 0 };
  });
  return groups
    .filter(({ count }) => count > 0)
    .sort((one, other) => Number(other.isError) - Number(one.isError) || other.count - one.count);
}

const head = [
  t('settings.transfer.problem'),
  t('settings.transfer.effect'),
  t('settings.transfer.kind'),
  t('settings.transfer.record_id'),
  t('settings.transfer.file'),
  t('settings.transfer.line'),
  t('settings.transfer.field'),
  t('settings.transfer.value'),
];

const lineOf = ({ code, kind, key, file, line, field, value }: ImportProblem) => [
  importProblems[code].title,
  importProblems[code].severity === 'error' ? t('settings.transfer.left_out') : t('settings.transfer.changed'),
  kind && recordKindNames[kind],
  key,
  file,
  line,
  field,
  value,
];

/** All stored problems as a CSV file. Returns why they could not be read. */
export async function downloadProblems(id: string, name: string): Promise<ApiProblem | undefined> {
  const lines: ReturnType<typeof lineOf>[] = [];
  let cursor: string | null | undefined;
  do {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const answer = await sendSignedIn(call(listImportProblems, { params: { id }, query }));
    if (answer.problem) return answer.problem;
    lines.push(...answer.data.map(lineOf));
    cursor = answer.pagination?.next_cursor;
  } while (cursor);
  downloadCsv(name, [head, ...lines]);
  return undefined;
}
