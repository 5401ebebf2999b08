import type { Rule } from '@tandem/contracts';
import { ruleLimits } from '@tandem/contracts/values';
import { Plus, Waypoints } from 'lucide-react';
import { useId, useState } from 'react';
import { t } from '../../../lib/staff-texts';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { Dialog } from '../../../ui/Dialog';
import { EmptyState } from '../../../ui/EmptyState';
import { useSortable } from '../../../ui/use-sortable';
import { RuleRow, type RuleActions } from './RuleRow';
import type { RuleNames } from './rule-labels';
import { Templates } from './Templates';
import { useRuleOrder } from './use-rule-order';

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
  const hintId = useId();
  const { shown, ids, move } = useRuleOrder(rules);
  const { list, styleOf, handleProps, draggedId } = useSortable(ids, move);
  return (
    <>
      <p id={hintId} className="sr-only">
        {t('settings.rules.how_to_move')}
      </p>
      <ol ref={list} aria-label={t('settings.rules.rules')}>
        {shown.map((rule, index) => (
          <RuleRow
            key={rule.id}
            rule={rule}
            position={index + 1}
            names={names}
            actions={actions}
            handle={handleProps(rule.id)}
            handleHintId={hintId}
            style={styleOf(rule.id)}
            isDragged={rule.id === draggedId}
            onMove={(by) => {
              const to = index + by;
              if (to >= 0 && to < ids.length) move(rule.id, to);
            }}
          />
        ))}
      </ol>
    </>
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
