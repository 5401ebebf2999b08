import type { TaskTool, TaskToolConnection } from '@tandem/contracts';
import { lazy, Suspense } from 'react';
import { useReadTaskToolConnectionsQuery } from '../../app/api';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Card } from '../../ui/Card';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton, Skeletons } from '../../ui/Skeleton';
import { ActiveIntegrations } from './ActiveIntegrations';
import { useListTaskToolsQuery } from './integration.api';
import { TaskToolCard } from './TaskToolCard';

const CreateForm = lazy(() => import('./CreateForm').then((module) => ({ default: module.CreateForm })));

const Loading = () => <Skeletons className="flex flex-col gap-5" blocks={['h-28 rounded-lg', 'h-44 rounded-lg']} />;

/** The available tools and their connections: connected tools and the first of the list are shown large. */
function Tools({ tools, connections }: { tools: TaskTool[]; connections: TaskToolConnection[] }) {
  const connectionOf = ({ key }: TaskTool) => connections.find(({ provider }) => provider === key);
  const [main, ...others] = tools;
  const isShownLarge = (tool: TaskTool) => tool === main || connectionOf(tool) !== undefined;
  const connected = tools.filter(connectionOf);
  const rest = others.filter((tool) => !isShownLarge(tool));
  return (
    <>
      {tools.filter(isShownLarge).map((tool) => (
        <TaskToolCard key={tool.key} tool={tool} connection={connectionOf(tool)} />
      ))}
      {connected.length > 0 && (
        <>
          <Suspense fallback={<Skeleton className="h-40 rounded-lg" />}>
            <CreateForm tools={connected.filter((tool) => connectionOf(tool)?.state === 'connected')} />
          </Suspense>
          <div className="after-skeletons">
            <ActiveIntegrations tools={tools} />
          </div>
        </>
      )}
      {rest.length > 0 && (
        <Card aria-label={t('integration.other_task_tools')} className="after-skeletons">
          {rest.map((tool) => (
            <TaskToolCard key={tool.key} tool={tool} connection={undefined} quiet />
          ))}
        </Card>
      )}
    </>
  );
}

/** All task tool settings: used by the page /integration and by a tab of the settings. */
export function IntegrationPanel() {
  const tools = useListTaskToolsQuery();
  // Connections made by other admins are not pushed as events: refetch on each visit.
  const connections = useReadTaskToolConnectionsQuery(undefined, { refetchOnMountOrArgChange: true });
  const error = (tools.data ? undefined : tools.error) ?? (connections.data ? undefined : connections.error);
  const again = () => {
    if (!tools.data) void tools.refetch();
    if (!connections.data) void connections.refetch();
  };
  return (
    <div className="flex flex-col gap-5">
      {error && (
        <ErrorNote
          title={t('integration.couldnt_load_task_tools')}
          detail={messageOf(error, '')}
          busy={tools.isFetching || connections.isFetching}
          onRetry={again}
        />
      )}
      {!error && !(tools.data && connections.data) && <Loading />}
      {tools.data && connections.data && <Tools tools={tools.data} connections={connections.data} />}
    </div>
  );
}
