import type { WaitingConnection } from '@tandem/contracts';
import { t } from '../../lib/staff-texts';
import { Card } from '../../ui/Card';
import { Time } from '../../ui/Time';
import { useListWaitingConnectionsQuery } from './operator.api';
import { Cell, DataTable, Loaded } from './parts';

const reasons: Record<WaitingConnection['reason'], string> = {
  broken: t('operator.connection_is_broken'),
  rate_limit: t('operator.connection_is_rate_limited'),
  unreachable: t('operator.task_tool_does_not_respond'),
};

/** Connections to task tools whose sync does not run. */
export function ConnectionsTab() {
  return (
    <Card>
      <Loaded query={useListWaitingConnectionsQuery()} failure={t('operator.couldnt_load_connections')}>
        {(connections) =>
          connections.length === 0 ? (
            <p className="px-4 py-3 text-muted">{t('operator.no_waiting_connections')}</p>
          ) : (
            <DataTable
              label={t('operator.waiting_connections')}
              head={[t('operator.organization'), t('operator.task_tool'), t('operator.reason'), t('operator.next_attempt')]}
            >
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
