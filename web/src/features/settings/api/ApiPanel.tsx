import type { ApiToken, IssuedApiToken } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { Button } from '../../../ui/Button';
import { Card, CardHeader } from '../../../ui/Card';
import { ConfirmDialog } from '../../../ui/ConfirmDialog';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorNote } from '../../../ui/ErrorNote';
import { IssuedValue } from '../../../ui/IssuedValue';
import { Skeletons } from '../../../ui/Skeleton';
import { curlLine } from './token-labels';
import { TokenRow, type TokenAction } from './TokenRow';
import { useDeleteApiTokenMutation, useListApiTokensQuery } from './tokens.api';

const CreateTokenDialog = lazy(() => import('./CreateTokenDialog').then((module) => ({ default: module.CreateTokenDialog })));
const EditTokenDialog = lazy(() => import('./EditTokenDialog').then((module) => ({ default: module.EditTokenDialog })));
const RotateTokenDialog = lazy(() => import('./RotateTokenDialog').then((module) => ({ default: module.RotateTokenDialog })));
const TokenRequests = lazy(() => import('./TokenRequests').then((module) => ({ default: module.TokenRequests })));

function DeleteToken({ token, onDone }: { token: ApiToken | undefined; onDone: () => void }) {
  const [remove, { isLoading }] = useDeleteApiTokenMutation();
  const confirm = async () => {
    if (!token) return;
    const { error } = await remove(token.id);
    onDone();
    if (error) notify.problem(error, 'Failed to delete the token');
    else notify.success('API token deleted.');
  };
  return (
    <ConfirmDialog
      open={token !== undefined}
      onOpenChange={(open) => !open && onDone()}
      title={`Delete “${token?.name ?? ''}”?`}
      description="Every program that uses this token stops working immediately. This can’t be undone: to stop it for a while, deactivate it instead."
      action="Delete token"
      busy={isLoading}
      onConfirm={() => void confirm()}
    />
  );
}

/** The list, or its placeholder, error or empty state. */
function Tokens({ onCreate, onAction }: { onCreate: () => void; onAction: (token: ApiToken, action: TokenAction) => void }) {
  const { data, error, isFetching, refetch } = useListApiTokensQuery();
  if (!data && error)
    return <ErrorNote title="Couldn’t load the tokens" detail={messageOf(error, '')} onRetry={() => void refetch()} busy={isFetching} />;
  if (!data) return <Skeletons blocks={['h-16', 'h-16']} />;
  if (data.length === 0)
    return (
      <EmptyState
        icon={KeyRound}
        title="No API tokens yet"
        action={
          <Button variant="primary" onClick={onCreate}>
            Create a token
          </Button>
        }
      >
        A token lets your own programs read and change tickets. Everything they do appears as “API” with the token’s name.
      </EmptyState>
    );
  return (
    <ul aria-label="API tokens">
      {data.map((token) => (
        <TokenRow key={token.id} token={token} onAction={(action) => onAction(token, action)} />
      ))}
    </ul>
  );
}

interface OpenDialog {
  token: ApiToken;
  action: TokenAction;
}

/** API tokens: programs use them to call the API under their own name. */
export function ApiPanel() {
  const id = useId();
  const { data } = useListApiTokensQuery();
  const [isCreating, setIsCreating] = useState(false);
  const [dialog, setDialog] = useState<OpenDialog>();
  const [issued, setIssued] = useState<{ title: string; value: string }>();
  const close = () => setDialog(undefined);
  const show = (title: string) => (result: IssuedApiToken) => {
    setIsCreating(false);
    close();
    setIssued({ title, value: result.value });
  };
  const tokenFor = (action: TokenAction) => (dialog?.action === action ? dialog.token : undefined);
  const [editing, rotating, reading] = [tokenFor('edit'), tokenFor('rotate'), tokenFor('requests')];
  return (
    <Card aria-labelledby={id}>
      <CardHeader
        id={id}
        title="API tokens"
        actions={
          <div className="flex items-center gap-4">
            <Link to="/docs/api-reference?tab=rest" className="text-accent-text underline underline-offset-2">
              API reference
            </Link>
            <Button size="sm" onClick={() => setIsCreating(true)} disabled={!data || data.length >= apiTokenRules.max}>
              <Plus aria-hidden />
              New token
            </Button>
          </div>
        }
      />
      <Tokens onCreate={() => setIsCreating(true)} onAction={(token, action) => setDialog({ token, action })} />
      <Suspense fallback={null}>
        {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} onCreated={show('Your new API token')} />}
        {editing && <EditTokenDialog token={editing} onClose={close} />}
        {rotating && <RotateTokenDialog token={rotating} onClose={close} onRotated={show('The new value of your token')} />}
        {reading && <TokenRequests token={reading} onClose={close} />}
      </Suspense>
      {issued && (
        <IssuedValue
          title={issued.title}
          noun="token"
          value={issued.value}
          example={{ label: 'Example request', intro: 'Try it in a terminal:', code: curlLine(issued.value) }}
          onClose={() => setIssued(undefined)}
        />
      )}
      <DeleteToken token={tokenFor('delete')} onDone={close} />
    </Card>
  );
}
