import type { TaskTool } from '@tandem/contracts';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { AuthFrame } from '../../ui/AuthFrame';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Card';
import { useDocumentTitle } from '../../ui/PageHeader';
import { Spinner } from '../../ui/Spinner';
import { useCompleteAuthorizationMutation, useListTaskToolsQuery } from './integration.api';
import { useConnect } from './use-connect';

interface Answer {
  code: string | null;
  state: string | null;
  error: string | null;
}
const refusal = ({ error }: Answer): string | undefined => {
  if (error === 'access_denied') return 'You didn’t authorize Tandem, so nothing has changed.';
  return error === null ? 'The task tool returned no answer. Please connect again.' : 'The task tool refused the connection.';
};

function TryAgain({ tool }: { tool: TaskTool }) {
  const { connect, isConnecting } = useConnect(tool);
  return (
    <Button variant="primary" size="lg" busy={isConnecting} onClick={connect}>
      Try again
    </Button>
  );
}

/** Reads the parameters and removes them from the address: the code must not stay in the history or leak in a referrer. */
function useSentBack(): Answer {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [sent] = useState<Answer>(() => ({ code: search.get('code'), state: search.get('state'), error: search.get('error') }));
  const isThere = search.size > 0;
  useEffect(() => {
    if (isThere) void navigate('.', { replace: true });
  }, [isThere, navigate]);
  return sent;
}

/** Completes the connection with the returned code, once. Returns the error message if it failed. */
function useCompletion(provider: string): string | undefined {
  const sentBack = useSentBack();
  const { code, state } = sentBack;
  const navigate = useNavigate();
  const [complete, { error }] = useCompleteAuthorizationMutation();
  const posted = useRef(false);
  useEffect(() => {
    // The state can be used only once: a second request would fail.
    if (!code || !state || posted.current) return;
    posted.current = true;
    void complete({ provider, code, state }).then(({ data }) => {
      if (!data) return;
      notify.success('Task tool connected', data.account_name);
      void navigate('/integration', { replace: true });
    });
  }, [code, state, provider, complete, navigate]);
  if (error) return messageOf(error, 'Couldn’t connect');
  return code && state ? undefined : refusal(sentBack);
}

/** /auth/callback/:provider: the task tool redirects here after the user has allowed or denied access. */
export function AuthorizedPage() {
  const { provider = '' } = useParams();
  const failed = useCompletion(provider);
  const { data: tools } = useListTaskToolsQuery();
  const tool = tools?.find(({ key }) => key === provider);
  useDocumentTitle('Connect your task tool');
  return (
    <AuthFrame title={`Connect ${tool?.name ?? 'your task tool'}`}>
      <Card className="flex flex-col gap-4 p-5" aria-live="polite" aria-busy={!failed}>
        {!failed && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label="Connecting" />
            Connecting…
          </p>
        )}
        {failed && (
          <>
            <Alert tone="destructive">{failed}</Alert>
            {tool && <TryAgain tool={tool} />}
            <Button asChild size="lg">
              <Link to="/integration">Back to Integration</Link>
            </Button>
          </>
        )}
      </Card>
    </AuthFrame>
  );
}
