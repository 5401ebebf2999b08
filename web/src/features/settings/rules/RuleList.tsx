import type { Rule } from '@tandem/contracts';
import { ruleLimits } from '@tandem/contracts/values';
import { Plus, Waypoints } from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Dialog } from '../../../ui/Dialog';
import { EmptyState } from '../../../ui/EmptyState';
import { OrderedList } from '../../../app/ordered-list/OrderedList';
import { RuleRow, type RuleActions } from './RuleRow';
import type { RuleNames } from './rule-labels';
import { Templates } from './Templates';
import { useListRulesQuery, useOrderRulesMutation } from './rules.api';

function NewRule({ isFull }: { isFull: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="sm" onClick={() => setIsOpen(true)} disabled={isFull}>
        <Plus aria-hidden />
        {t('settings.rules.new_rule')}
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setIsOpen}
        wide
        title={t('settings.rules.new_rule')}
        description={t('settings.rules.choose_template')}
      >
        <Templates onDone={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}

function Nothing({ mayChange }: { mayChange: boolean }) {
  return (
    <>
      <EmptyState icon={Waypoints} title={t('settings.rules.no_rules_yet')}>
        {t('settings.rules.what_rules_do')}
      </EmptyState>
      {mayChange && (
        <div className="-mt-6 p-4">
          <Templates />
        </div>
      )}
    </>
  );
}

interface RuleListProps {
  rules: Rule[];
  names: RuleNames;
  /** Undefined for managers, who only read. */
  actions: RuleActions | undefined;
}

function Rows({ rules, names, actions }: RuleListProps) {
  const [save] = useOrderRulesMutation();
  const { data: all = rules } = useListRulesQuery();
  return (
    <OrderedList
      label={t('settings.rules.rules')}
      hint={t('settings.rules.how_to_move')}
      items={rules}
      all={all}
      canMove={actions !== undefined}
      nameOf={({ name }) => name}
      save={save}
      savedText={t('settings.rules.rules_reordered')}
      failedText={t('settings.rules.couldnt_reorder_rules')}
    >
      {(rule, moveBy) => <RuleRow rule={rule} names={names} actions={actions} onMove={moveBy} />}
    </OrderedList>
  );
}

/** The rules in the order in which they run. */
export function RuleList({ rules, names, actions }: RuleListProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title={t('settings.rules.rules')}
        actions={actions && rules.length > 0 && <NewRule isFull={rules.length >= ruleLimits.rules} />}
      />
      {rules.length === 0 ? (
        <Nothing mayChange={actions !== undefined} />
      ) : (
        <>
          <p className="border-b px-4 py-2.5 text-xs text-pretty text-muted">{t('settings.rules.order_matters')}</p>
          <Rows rules={rules} names={names} actions={actions} />
        </>
      )}
    </Card>
  );
}
