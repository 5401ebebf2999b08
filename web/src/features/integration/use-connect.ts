import type { TaskTool } from '@tandem/contracts';
import { useSession } from '../../app/api';
import { redirectOut } from '../../lib/redirect-out';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { useAuthorizeTaskToolMutation } from './integration.api';

const setupRequired = (name: string) =>
  notify.info(
    `${name} Integration Setup Required`,
    'OAuth credentials (client id and secret) must be configured in backend secrets. Until then, you can use a personal token.',
  );

/** The Connect button: redirects to the task tool, or shows what is missing. */
export function useConnect({ key, name, oauth_configured }: TaskTool) {
  const { profile } = useSession();
  const [authorize, { isLoading }] = useAuthorizeTaskToolMutation();
  const connect = async () => {
    if (!profile.organization_id) return notify.error('Organization not found. Please contact support.');
    if (!oauth_configured) return setupRequired(name);
    const answer = await authorize({ provider: key });
    if (answer.data) redirectOut(answer.data.url);
    else if (isProblem(answer.error) && answer.error.code === 'task_tool.not_configured') setupRequired(name);
    else notify.problem(answer.error, `Couldn’t connect ${name}`);
  };
  return { connect: () => void connect(), isConnecting: isLoading };
}
