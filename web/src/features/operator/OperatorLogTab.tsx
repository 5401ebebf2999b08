import type { OperatorAction } from '@tandem/contracts';
import { t } from '../../lib/staff-texts';
import { Card } from '../../ui/Card';
import { Time } from '../../ui/Time';
import { useReadOperatorLogQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

const actions: Record<OperatorAction, string> = {
  'overview.viewed': t('operator.viewed_overview'),
  'dead_letters.viewed': t('operator.viewed_dead_letters'),
  'dead_letter.replayed': t('operator.replayed_dead_letter'),
  'dead_letter.discarded': t('operator.discarded_dead_letter'),
  'connections.viewed': t('operator.viewed_connections'),
  'organizations.viewed': t('operator.viewed_organizations'),
  'plan.changed': t('operator.changed_plan'),
  'log.viewed': t('operator.viewed_log'),
};

/** Who opened what on this page: the latest 100 entries. */
export function OperatorLogTab() {
  return (
    <Card>
      <Loaded query={useReadOperatorLogQuery()} failure={t('operator.couldnt_load_log')}>
        {(entries) => (
          <DataTable
            label={t('operator.log')}
            head={[t('operator.when'), t('operator.operator'), t('operator.action'), t('operator.client_address')]}
          >
            {entries.map(({ id, created_at, email, action, target, ip }) => (
              <tr key={id}>
                <Cell className="whitespace-nowrap">
                  <Time iso={created_at} />
                </Cell>
                <Cell>{email}</Cell>
                <Cell>
                  {actions[action]}
                  {target !== null && <span className="block break-all text-muted">{target}</span>}
                </Cell>
                <Cell>{ip ?? '–'}</Cell>
              </tr>
            ))}
          </DataTable>
        )}
      </Loaded>
    </Card>
  );
}
