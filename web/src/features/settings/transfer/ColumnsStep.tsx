import type { Import, ImportFile } from '@tandem/contracts';
import { csvKinds, type CsvKind } from '@tandem/contracts/values';
import { useState } from 'react';
import { useListCustomFieldsQuery } from '../../../app/custom-fields/custom-fields.api';
import { notify } from '../../../lib/notify';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Select } from '../../../ui/Select';
import { mappingByName, missingColumns, samplesOf, targetsOf, unusedColumns, type Mapping, type TargetColumn } from './column-mapping';
import { csvKindLabels } from './import-labels';
import { useUpdateImportMutation } from './imports.api';

const kindOptions = csvKinds.map((value) => ({ value, label: csvKindLabels[value] }));
/** The value of the option that maps no column. Columns have a prefix, so that no name of a column equals it. */
const none = 'none';
const optionOf = (column: string) => `column ${column}`;

interface TargetRowProps {
  file: ImportFile;
  target: TargetColumn;
  column: string | null;
  isSuggested: boolean;
  onChange: (column: string | null) => void;
}

/** One of our columns, and the column of the file that fills it. */
function TargetRow({ file, target: { key, label, isRequired }, column, isSuggested, onChange }: TargetRowProps) {
  const options = [...new Set(file.columns ?? [])].filter(Boolean).map((name) => ({ value: optionOf(name), label: name }));
  const isMissing = isRequired && !column;
  const id = `${file.id}-${key}`;
  return (
    <li className="grid items-center gap-x-4 gap-y-1 py-1.5 md:grid-cols-[11rem_minmax(0,15rem)_minmax(0,1fr)]">
      <label htmlFor={id} className="flex flex-wrap items-center gap-x-2">
        <span className="[overflow-wrap:anywhere]">{label}</span>
        {isRequired && <span className="text-xs text-muted">{t('settings.transfer.required')}</span>}
      </label>
      <Select
        id={id}
        value={column ? optionOf(column) : none}
        options={[{ value: none, label: t('settings.transfer.not_imported') }, ...options]}
        aria-invalid={isMissing || undefined}
        aria-required={isRequired || undefined}
        aria-describedby={`${id}-sample`}
        className={isMissing ? 'border-red-solid' : ''}
        onChange={(value) => onChange(value === none ? null : (options.find((each) => each.value === value)?.label ?? null))}
      />
      <p id={`${id}-sample`} className="flex min-w-0 items-center gap-2 text-xs text-muted">
        {isMissing && <span className="text-red-text">{t('settings.transfer.choose_a_column')}</span>}
        {column && isSuggested && <Badge tone="accent">{t('settings.transfer.suggested')}</Badge>}
        {column && <span className="truncate">{samplesOf(file, column).join(' · ') || t('settings.transfer.column_is_empty')}</span>}
      </p>
    </li>
  );
}

interface FileColumnsProps {
  file: ImportFile;
  /** Whether the mapping may still be the server's. */
  isFirst: boolean;
  onChange: (kind: CsvKind, mapping: Mapping) => void;
}

function FileColumns({ file, isFirst, onChange }: FileColumnsProps) {
  const { data: fields = [] } = useListCustomFieldsQuery();
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const { kind } = file;
  if (!file.columns) return null;
  const mapping = file.mapping ?? {};
  const unused = kind ? unusedColumns(file) : [];
  return (
    <section aria-label={file.file_name} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md bg-sunken px-3 py-2">
        <h3 className="min-w-0 flex-1 basis-40 font-medium [overflow-wrap:anywhere]" dir="auto">
          {file.file_name}
        </h3>
        <div className="w-40">
          <Select
            label={t('settings.transfer.rows_of_name_are', { name: file.file_name })}
            placeholder={t('settings.transfer.choose_contents')}
            value={kind ?? ''}
            options={kindOptions}
            onChange={(value) => onChange(value as CsvKind, mappingByName(value as CsvKind, file))}
          />
        </div>
      </div>
      {!kind && <p className="px-3 text-amber-text">{t('settings.transfer.what_does_file_contain')}</p>}
      {kind && (
        <ul aria-label={t('settings.transfer.columns_of_name', { name: file.file_name })} className="px-3">
          {targetsOf(kind, fields).map((target) => (
            <TargetRow
              key={target.key}
              file={file}
              target={target}
              column={mapping[target.key] ?? null}
              isSuggested={isFirst && !touched.has(target.key)}
              onChange={(column) => {
                setTouched(new Set([...touched, target.key]));
                onChange(kind, { ...mapping, [target.key]: column });
              }}
            />
          ))}
        </ul>
      )}
      {unused.length > 0 && (
        <p className="px-3 text-xs text-pretty [overflow-wrap:anywhere] text-muted">
          {t('settings.transfer.columns_not_imported', { names: unused.join(', ') })}
        </p>
      )}
    </section>
  );
}

/** The required columns that are still missing, over all files. */
export const missingOf = (current: Import): string[] => [...new Set(current.files.flatMap(missingColumns))];
/** Whether all files of a CSV import can be read as they are mapped. */
export const isMapped = ({ files }: Import): boolean => files.every((file) => file.kind !== null && missingColumns(file).length === 0);

/** Which column of each CSV file fills which of ours. Each change is saved. */
export function ColumnsStep({ current }: { current: Import }) {
  const [update] = useUpdateImportMutation();
  const save = async (file_id: string, kind: CsvKind, mapping: Mapping) => {
    const { error } = await update({ id: current.id, changes: { mappings: [{ file_id, kind, mapping }] } });
    if (error) notify.problem(error, t('settings.transfer.couldnt_save_columns'));
  };
  return (
    <div className="flex flex-col gap-6">
      {current.files.map((file) => (
        <FileColumns
          key={file.id}
          file={file}
          isFirst={Object.keys(current.counts).length === 0}
          onChange={(kind, mapping) => void save(file.id, kind, mapping)}
        />
      ))}
    </div>
  );
}
