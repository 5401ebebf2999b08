import type { WaitingConnection } from '@tandem/contracts';
import { Card } from '../../ui/Card';
import { Time } from '../../ui/Time';
import { useListWaitingConnectionsQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

const reasons: Record<WaitingConnection['reason'], string> = {
  broken: 'The task tool rejects the token. An admin of the organization must connect it again.',
  rate_limit: 'The task tool limits the number of calls.',
  unreachable: 'The task tool does not respond.',
};

/** Connections to task tools whose sync does not run. */
export function ConnectionsTab() {
  return (
    <Card>
      <Loaded query={useListWaitingConnectionsQuery()} what="the connections">
        {(connections) =>
          connections.length === 0 ? (
            <p className="px-4 py-3 text-muted">All connections to task tools are in use.</p>
          ) : (
            <DataTable label="Waiting connections" head={['Organization', 'Task tool', 'Reason', 'Next attempt']}>
              {connections.map(({ id, organization_id, organization_name, provider, reason, retry_at }) => (
                <tr key={id}>
                  <Cell className="font-medium">{organization_name ?? organization_id}</Cell>
                  <Cell>{provider}</Cell>
                  <Cell>{reasons[reason]}</Cell>
                  <Cell className="whitespace-nowrap">{retry_at === null ? '–' : <Time iso={retry_at} />}</Cell>
                </tr>
              ))}
            </DataTable>
          )
        }
      </Loaded>
    </Card>
  );
}
