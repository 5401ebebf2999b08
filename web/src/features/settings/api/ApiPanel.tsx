import type { ApiToken, IssuedApiToken } from '@tandem/contracts';
import { apiTokenRules } from '@tandem/contracts/values';
import { KeyRound, Plus } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../../lib/notify';
import { messageOf } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
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
    if (error) notify.problem(error, t('settings.api.failed_to_delete_token'));
    else notify.success(t('settings.api.api_token_deleted'));
  };
  return (
    <ConfirmDialog
      open={token !== undefined}
      onOpenChange={(open) => !open && onDone()}
      title={t('settings.api.delete_name', { name: token?.name ?? '' })}
      description={t('settings.api.what_revoking_token_does')}
      action={t('settings.api.delete_token')}
      busy={isLoading}
      onConfirm={() => void confirm()}
    />
  );
}

/** The list, or its placeholder, error or empty state. */
function Tokens({ onCreate, onAction }: { onCreate: () => void; onAction: (token: ApiToken, action: TokenAction) => void }) {
  const { data, error, isFetching, refetch } = useListApiTokensQuery();
  if (!data && error)
    return (
      <ErrorNote
        title={t('settings.api.couldnt_load_tokens')}
        detail={messageOf(error, '')}
        onRetry={() => void refetch()}
        busy={isFetching}
      />
    );
  if (!data) return <Skeletons blocks={['h-16', 'h-16']} />;
  if (data.length === 0)
    return (
      <EmptyState
        icon={KeyRound}
        title={t('settings.api.no_api_tokens_yet')}
        action={
          <Button variant="primary" onClick={onCreate}>
            {t('settings.api.create_token')}
          </Button>
        }
      >
        {t('settings.api.what_tokens_do')}
      </EmptyState>
    );
  return (
    <ul aria-label={t('settings.api.api_tokens')}>
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
        title={t('settings.api.api_tokens')}
        actions={
          <div className="flex items-center gap-4">
            <Link to="/docs/api-reference?tab=rest" className="text-accent-text underline underline-offset-2">
              {t('settings.api.api_reference')}
            </Link>
            <Button size="sm" onClick={() => setIsCreating(true)} disabled={!data || data.length >= apiTokenRules.max}>
              <Plus aria-hidden />
              {t('settings.api.new_token')}
            </Button>
          </div>
        }
      />
      <Tokens onCreate={() => setIsCreating(true)} onAction={(token, action) => setDialog({ token, action })} />
      <Suspense fallback={null}>
        {isCreating && <CreateTokenDialog onClose={() => setIsCreating(false)} onCreated={show(t('settings.api.your_new_api_token'))} />}
        {editing && <EditTokenDialog token={editing} onClose={close} />}
        {rotating && <RotateTokenDialog token={rotating} onClose={close} onRotated={show(t('settings.api.new_value_of_your_token'))} />}
        {reading && <TokenRequests token={reading} onClose={close} />}
      </Suspense>
      {issued && (
        <IssuedValue
          title={issued.title}
          kind="token"
          value={issued.value}
          example={{ label: t('settings.api.example_request'), intro: t('settings.api.try_it_in_terminal'), code: curlLine(issued.value) }}
          onClose={() => setIssued(undefined)}
        />
      )}
      <DeleteToken token={tokenFor('delete')} onDone={close} />
    </Card>
  );
}
