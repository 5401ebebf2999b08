import type { TaskTool } from '@tandem/contracts';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Select } from '../../ui/Select';
import type { ChosenList, Level } from './use-list-choice';

interface LevelFieldProps {
  tool: TaskTool;
  at: number;
  chosen: ChosenList;
}

function placeholderOf(label: string, query: ChosenList['loaded'][Level], outer: string | undefined): string {
  const one = label.toLowerCase();
  if (query.isUninitialized)
    return outer ? t('integration.choose_outer_first', { outer: outer.toLowerCase() }) : t('integration.select_one', { one });
  if (query.isFetching) return t('integration.loading_one_s', { one });
  if (query.isError) return t('integration.not_available');
  return query.currentData?.length === 0 ? t('integration.no_one_s', { one }) : t('integration.select_one', { one });
}

function LevelField({ tool, at, chosen }: LevelFieldProps) {
  const { key, label } = tool.levels[at]!;
  const query = chosen.loaded[key];
  const choices = query.currentData ?? [];
  const isEmpty = query.currentData?.length === 0;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <Field
        label={label}
        required
        error={query.isError && !query.isFetching ? messageOf(query.error, t('integration.couldnt_load_options')) : undefined}
        hint={isEmpty && t('integration.account_has_no_workspace', { name: tool.name })}
      >
        {(control) => (
          <Select
            {...control}
            value={chosen.choice[key]}
            options={choices.map(({ id, name }) => ({ value: id, label: name }))}
            placeholder={placeholderOf(label, query, tool.levels[at - 1]?.label)}
            disabled={choices.length === 0 || query.isFetching}
            onChange={(id) => chosen.choose(key, id)}
          />
        )}
      </Field>
      {query.isError && (
        <Button size="sm" className="self-start" busy={query.isFetching} onClick={() => void query.refetch()}>
          {t('integration.retry')}
        </Button>
      )}
    </div>
  );
}

/** One select per level of the tool, outermost first. */
export const ListChoiceFields = ({ tool, chosen }: { tool: TaskTool; chosen: ChosenList }) => (
  <div className="grid gap-4 sm:grid-cols-2 lg:grid-flow-col lg:auto-cols-fr lg:grid-cols-none">
    {tool.levels.map(({ key }, at) => (
      <LevelField key={key} tool={tool} at={at} chosen={chosen} />
    ))}
  </div>
);
