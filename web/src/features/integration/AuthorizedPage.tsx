import type { TaskTool } from '@tandem/contracts';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
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
  if (error === 'access_denied') return t('integration.you_didnt_authorize_tandem');
  return error === null ? t('integration.task_tool_response_incomplete') : t('integration.task_tool_refused_connection');
};

function TryAgain({ tool }: { tool: TaskTool }) {
  const { connect, isConnecting } = useConnect(tool);
  return (
    <Button variant="primary" size="lg" busy={isConnecting} onClick={connect}>
      {t('integration.try_again')}
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
      notify.success(t('integration.task_tool_connected'), data.account_name);
      void navigate('/integration', { replace: true });
    });
  }, [code, state, provider, complete, navigate]);
  if (error) return messageOf(error, t('integration.couldnt_connect'));
  return code && state ? undefined : refusal(sentBack);
}

/** /auth/callback/:provider: the task tool redirects here after the user has allowed or denied access. */
export function AuthorizedPage() {
  const { provider = '' } = useParams();
  const failed = useCompletion(provider);
  const { data: tools } = useListTaskToolsQuery();
  const tool = tools?.find(({ key }) => key === provider);
  useDocumentTitle(t('integration.connect_your_task_tool'));
  return (
    <AuthFrame title={tool ? t('integration.connect_name', { name: tool.name }) : t('integration.connect_your_task_tool')}>
      <Card className="flex flex-col gap-4 p-5" aria-live="polite" aria-busy={!failed}>
        {!failed && (
          <p className="flex items-center gap-2 text-muted">
            <Spinner label={t('integration.connecting_label')} />
            {t('integration.connecting')}
          </p>
        )}
        {failed && (
          <>
            <Alert tone="destructive">{failed}</Alert>
            {tool && <TryAgain tool={tool} />}
            <Button asChild size="lg">
              <Link to="/integration">{t('integration.back_to_integration')}</Link>
            </Button>
          </>
        )}
      </Card>
    </AuthFrame>
  );
}
