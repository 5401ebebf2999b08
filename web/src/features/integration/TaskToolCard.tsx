import type { TaskTool, TaskToolConnection } from '@tandem/contracts';
import { BookOpen, CircleCheck, Plug } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { t } from '../../lib/staff-texts';
import { Alert } from '../../ui/Alert';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Rich } from '../../ui/Rich';
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
    if (error) notify.problem(error, t('integration.failed_to_disconnect_name', { name }));
    else notify.success(t('integration.name_disconnected', { name }));
  };
  return (
    <>
      <Button size="sm" onClick={() => setIsConfirming(true)}>
        {t('integration.disconnect')}
      </Button>
      <ConfirmDialog
        open={isConfirming}
        onOpenChange={setIsConfirming}
        title={t('integration.disconnect_name', { name })}
        description={t('integration.disconnect_text', { name, count })}
        action={t('integration.disconnect')}
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
        {quiet
          ? t('integration.turn_tickets_into_name_tasks', { tool: tool.key, name: tool.name })
          : t('integration.what_tool_does', { tool: tool.key, name: tool.name })}
      </p>
    );
  return (
    <p className="text-muted">
      <Rich
        text={connection.kind === 'personal_token' ? t('integration.connected_with_token') : t('integration.connected_as')}
        tags={{
          account: () => <span className="text-ink">{connection.account_name}</span>,
          time: () => <Time iso={connection.connected_at} />,
        }}
      />
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
        <li>{t('integration.new_tickets_become_tasks')}</li>
        <li>{t('integration.changes_sync_both_ways')}</li>
        <li>{t('integration.public_comments_sync')}</li>
      </ul>
      {guides[key] && (
        <Link to={guides[key]} className="mt-2 inline-flex items-center gap-1.5 font-medium text-accent-text hover:underline">
          <BookOpen className="size-4" aria-hidden />
          {t('integration.how_to_set_up_name', { name })}
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
        {again ? t('integration.reconnect') : t('integration.connect_name', { name: tool.name })}
      </Button>
      {(!again || tool.oauth_configured) && (
        <Button variant="ghost" onClick={() => setByToken(true)}>
          {t('integration.use_personal_token')}
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
                {t('integration.connected')}
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
            <p className="font-medium">{t('integration.name_no_longer_accepts_connection', { name: tool.name })}</p>
            <p>{t('integration.access_may_have_been_revoked')}</p>
          </Alert>
          <ConnectButtons tool={tool} connection={connection} quiet={quiet} />
        </div>
      )}
    </Frame>
  );
}
