import type { AnalyticsByField, CustomField } from '@tandem/contracts';
import { customFieldName, type CustomFieldType, type ViewCondition } from '@tandem/contracts/values';
import { useSearchParams } from 'react-router-dom';
import { conditionText } from '../../app/conditions/condition-text';
import { useCustomFields } from '../../app/custom-fields/custom-fields.api';
import { fieldValueText } from '../../app/custom-fields/field-text';
import { cn } from '../../lib/cn';
import { metricLinks, type MetricLinks } from '../../lib/metric-links';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { ErrorNote } from '../../ui/ErrorNote';
import { Select } from '../../ui/Select';
import { Skeletons } from '../../ui/Skeleton';
import { useReadAnalyticsByFieldQuery } from './analytics.api';
import { fieldParam } from './analytics-view';
import { summaryOf, tableOf } from './Breakdown';
import { BarList, type BarItem } from './charts/BarList';
import { ChartCard } from './charts/ChartCard';
import type { SectionProps } from './section';

type Value = AnalyticsByField['rows'][number]['value'];

const countedTypes: readonly CustomFieldType[] = ['choice', 'choices', 'yes_no'];

/** What selects the tickets with a value in the ticket list. */
function conditionOf({ key, type }: CustomField, value: Value): ViewCondition {
  const field = customFieldName(key);
  if (value === null) return { field, op: 'is_empty' };
  if (typeof value === 'boolean') return { field, op: 'is', value };
  return { field, op: type === 'choices' ? 'contains_any_of' : 'is_any_of', value: [value] };
}

/** A bar for each option, the most frequent first, also for those that no ticket has and for removed ones that tickets still have. */
function itemsOf(field: CustomField, { rows }: AnalyticsByField, links: MetricLinks): BarItem[] {
  const options: Value[] = field.type === 'yes_no' ? [true, false] : field.options.map(({ value }) => value);
  const unused = options.filter((option) => !rows.some(({ value }) => value === option)).map((value) => ({ value, count: 0 }));
  const bar = ({ value, count }: { value: Value; count: number }): BarItem => ({
    name: value === null ? t('analytics.no_value') : fieldValueText(field, value),
    count,
    to: links.condition(conditionText(conditionOf(field, value))),
    isRest: value === null,
  });
  const isEmpty = ({ value }: { value: Value }) => value === null;
  return [...rows.filter((row) => !isEmpty(row)), ...unused, ...rows.filter(isEmpty)].map(bar);
}

/** The tickets of the range by one of the custom fields with options; nothing if the organization has no such field. */
export function ByField({ analytics: { time_zone }, view }: SectionProps) {
  const fields = useCustomFields().filter(({ type }) => countedTypes.includes(type));
  const [params, setParams] = useSearchParams();
  const field = fields.find(({ key }) => key === params.get(fieldParam)) ?? fields[0];
  return field ? <FieldCard fields={fields} field={field} onChoose={choose} view={view} timeZone={time_zone} /> : null;

  function choose(key: string): void {
    const next = new URLSearchParams(params);
    next.set(fieldParam, key);
    setParams(next, { replace: true });
  }
}

interface FieldCardProps {
  fields: CustomField[];
  field: CustomField;
  onChoose: (key: string) => void;
  view: SectionProps['view'];
  timeZone: string;
}
function FieldCard({ fields, field, onChoose, view, timeZone }: FieldCardProps) {
  const { data, currentData, error, isError, isFetching, refetch } = useReadAnalyticsByFieldQuery({ key: field.key, view });
  // The figures of another range stay until those of this one have loaded, but not those of another field.
  const shown = currentData ?? (isError || data?.key !== field.key ? undefined : data);
  const total = shown?.total_tickets ?? 0;
  const items = shown && itemsOf(field, shown, metricLinks({ period: shown.period, timeZone, filters: view.filters }));
  const title = t('analytics.by_custom_field');
  return (
    <ChartCard
      title={title}
      metric="custom_field"
      summary={items ? summaryOf('custom_field', items, total) : ''}
      data={items && (() => tableOf({ column: field.label, items, total }))}
      controls={
        <Select
          look="filter"
          label={t('analytics.custom_field')}
          value={field.key}
          options={fields.map(({ key, label }) => ({ value: key, label }))}
          onChange={onChoose}
          className="max-w-full"
        />
      }
    >
      {() => {
        if (items)
          return (
            <div className={cn('transition-opacity', !currentData && 'opacity-60')} inert={!currentData}>
              <BarList key={field.key} items={items} total={total} title={field.label} />
            </div>
          );
        if (!isError) return <Skeletons blocks={['h-5', 'h-5', 'h-5']} className="flex flex-col gap-2" />;
        return (
          <ErrorNote
            title={t('analytics.couldnt_load_custom_field')}
            detail={messageOf(error, '')}
            onRetry={() => void refetch()}
            busy={isFetching}
          />
        );
      }}
    </ChartCard>
  );
}
