import { useSearchParams } from 'react-router-dom';
import { memberOptions } from '../../lib/member-options';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Input } from '../../ui/Input';
import { Select, type SelectOption } from '../../ui/Select';
import { useListMembersQuery } from '../../app/api';
import { auditFiltersOf, isFiltered, withAuditFilter, withoutAuditFilters, type AuditFilters } from './audit-filters';
import { categoryOptions } from './audit-labels';
import { severityOptions } from './SeverityBadge';

const all = (label: string): SelectOption => ({ value: 'all', label });

export function AuditFilterBar() {
  const [params, setParams] = useSearchParams();
  const { data: members = [] } = useListMembersQuery();
  const filters = auditFiltersOf(params);
  const set = (name: keyof AuditFilters) => (value: string) => setParams(withAuditFilter(params, name, value), { replace: true });
  const choice = (name: 'category' | 'severity' | 'person', label: string, options: SelectOption[]) => (
    <Select
      look="filter"
      label={label}
      value={filters[name] ?? 'all'}
      active={filters[name] !== undefined}
      options={options}
      onChange={set(name)}
      className="max-w-44"
    />
  );
  const day = (name: 'from' | 'to', label: string) => (
    <label className="flex items-center gap-1.5 text-xs text-muted">
      {label}
      <Input
        type="date"
        className="h-7 w-34 px-2 text-xs touch:h-9"
        min={name === 'to' ? filters.from : undefined}
        max={name === 'from' ? filters.to : undefined}
        value={filters[name] ?? ''}
        onChange={(event) => set(name)(event.target.value)}
      />
    </label>
  );
  return (
    <div role="group" aria-label={t('settings.filters')} className="flex flex-wrap items-center gap-1.5 border-b px-4 py-2 max-md:px-3">
      {choice('category', t('settings.category'), [all(t('settings.all_categories')), ...categoryOptions])}
      {choice('severity', t('settings.severity'), [all(t('settings.all_severities')), ...severityOptions])}
      {choice('person', t('settings.person'), [all(t('settings.everyone')), ...memberOptions(members)])}
      {day('from', t('settings.from'))}
      {day('to', t('settings.to'))}
      {isFiltered(filters) && (
        <Button variant="ghost" size="sm" onClick={() => setParams(withoutAuditFilters(params), { replace: true })}>
          {t('settings.clear')}
        </Button>
      )}
    </div>
  );
}
