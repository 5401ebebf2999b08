import type { OperatorAction } from '@tandem/contracts';
import { Card } from '../../ui/Card';
import { Time } from '../../ui/Time';
import { useReadOperatorLogQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

const actions: Record<OperatorAction, string> = {
  'overview.viewed': 'Viewed the overview',
  'dead_letters.viewed': 'Viewed the dead letters',
  'dead_letter.replayed': 'Replayed a dead letter',
  'dead_letter.discarded': 'Discarded a dead letter',
  'connections.viewed': 'Viewed the connections',
  'organizations.viewed': 'Viewed the organizations',
  'log.viewed': 'Viewed this log',
};

/** Who opened what on this page: the latest 100 entries. */
export function OperatorLogTab() {
  return (
    <Card>
      <Loaded query={useReadOperatorLogQuery()} what="the log">
        {(entries) => (
          <DataTable label="Log" head={['When', 'Operator', 'Action', 'Client address']}>
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
