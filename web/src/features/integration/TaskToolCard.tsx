import type { TaskTool, TaskToolConnection } from '@tandem/contracts';
import { BookOpen, CircleCheck, Plug } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { Alert } from '../../ui/Alert';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Time } from '../../ui/Time';
import { useDisconnectTaskToolMutation, useListIntegrationsQuery } from './integration.api';
import { useConnect } from './use-connect';

const TokenDialog = lazy(() => import('./TokenDialog').then((module) => ({ default: module.TokenDialog })));

const ToolMark = ({ name }: { name: string }) => (
  <span aria-hidden className="grid size-9 shrink-0 place-items-center rounded-lg border bg-sunken text-md font-semibold text-muted">
    {name.charAt(0)}
  </span>
);

function Disconnect({ tool: { key, name } }: { tool: TaskTool }) {
  const [isConfirming, setIsConfirming] = useState(false);
  const [disconnect, { isLoading }] = useDisconnectTaskToolMutation();
  const { data: integrations = [] } = useListIntegrationsQuery(undefined, { skip: !isConfirming });
  const count = integrations.filter(({ provider }) => provider === key).length;
  const confirm = async () => {
    const { error } = await disconnect(key);
    setIsConfirming(false);
    if (error) notify.problem(error, `Failed to disconnect ${name}`);
    else notify.success(`${name} disconnected`);
  };
  const lost = count === 1 ? 'Its integration is removed' : count > 1 ? `Its ${count} integrations are removed` : '';
  return (
    <>
      <Button size="sm" onClick={() => setIsConfirming(true)}>
        Disconnect
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={`Disconnect ${name}?`}
        description={`Tandem deletes its access to ${name}. ${lost && `${lost}, with the links between tickets and tasks. `}Tickets and tasks are not changed, but stop syncing.`}
        action="Disconnect"
        busy={isLoading}
        onConfirm={() => void confirm()}
      />
    </>
  );
}

/** The connected account, or the benefit of connecting. */
function ConnectionSummary({ tool, connection, quiet }: TaskToolCardProps) {
  if (!connection)
    return (
      <p className="text-muted">
        {quiet ? `Turn tickets into ${tool.name} tasks.` : `Turn every ticket into a ${tool.name} task and keep both in sync.`}
      </p>
    );
  return (
    <p className="text-muted">
      {connection.kind === 'personal_token' ? 'Connected with ' : 'Connected as '}
      <span className="text-ink">{connection.account_name}</span>
      {connection.kind === 'personal_token' && '’s token'} on <Time iso={connection.connected_at} />
    </p>
  );
}

/** Setup guides by tool. */
const guides: Record<string, string> = { clickup: '/docs/clickup-setup' };

/** Explains what connecting does, before the user connects. */
function Promises({ tool: { key, name } }: { tool: TaskTool }) {
  return (
    <div className="border-t px-4 py-3 text-muted">
      <ul className="flex list-disc flex-col gap-1 pl-4 marker:text-faint">
        <li>New tickets become tasks in the list you choose, with their status, priority and assignee.</li>
        <li>Changes sync both ways.</li>
        <li>Public comments sync too. Internal notes stay in Tandem.</li>
      </ul>
      {guides[key] && (
        <Link to={guides[key]} className="mt-2 inline-flex items-center gap-1.5 font-medium text-accent-text hover:underline">
          <BookOpen className="size-4" aria-hidden />
          How to set up {name}
        </Link>
      )}
    </div>
  );
}

function ConnectButtons({ tool, connection, quiet }: TaskToolCardProps) {
  const { connect, isConnecting } = useConnect(tool);
  const [byToken, setByToken] = useState(false);
  // Without OAuth, the existing connection was made with a token, so reconnecting asks for a token.
  const again = connection !== undefined;
  const onConnect = again && !tool.oauth_configured ? () => setByToken(true) : connect;
  return (
    <div className="flex flex-wrap gap-2">
      <Button variant={quiet ? 'secondary' : 'primary'} busy={isConnecting} onClick={onConnect}>
        {!isConnecting && <Plug aria-hidden />}
        {again ? 'Reconnect' : `Connect ${tool.name}`}
      </Button>
      {(!again || tool.oauth_configured) && (
        <Button variant="ghost" onClick={() => setByToken(true)}>
          Use a personal token
        </Button>
      )}
      {byToken && (
        <Suspense fallback={null}>
          <TokenDialog tool={tool} onClose={() => setByToken(false)} />
        </Suspense>
      )}
    </div>
  );
}

interface TaskToolCardProps {
  tool: TaskTool;
  connection: TaskToolConnection | undefined;
  /** Shown as one of several rows in a card, for tools that are not the first choice. */
  quiet?: boolean;
}

/** One task tool and the organization's connection to it. */
export function TaskToolCard({ tool, connection, quiet = false }: TaskToolCardProps) {
  const id = useId();
  const isBroken = connection?.state === 'broken';
  const Frame = quiet ? 'section' : Card;
  return (
    <Frame aria-labelledby={id}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-3 p-4">
        <ToolMark name={tool.name} />
        <div className="min-w-48 flex-1">
          <div className="flex items-center gap-2">
            <h2 id={id} className="text-md font-semibold">
              {tool.name}
            </h2>
            {connection?.state === 'connected' && (
              <Badge tone="green">
                <CircleCheck aria-hidden />
                Connected
              </Badge>
            )}
          </div>
          <ConnectionSummary tool={tool} connection={connection} quiet={quiet} />
        </div>
        {connection ? <Disconnect tool={tool} /> : <ConnectButtons tool={tool} connection={connection} quiet={quiet} />}
      </div>
      {!connection && !quiet && <Promises tool={tool} />}
      {isBroken && (
        <div className="flex flex-col gap-3 px-4 pb-4">
          <Alert tone="destructive">
            <p className="font-medium">{tool.name} no longer accepts the connection</p>
            <p>Access may have been revoked. Changes are queued until you reconnect.</p>
          </Alert>
          <ConnectButtons tool={tool} connection={connection} quiet={quiet} />
        </div>
      )}
    </Frame>
  );
}
