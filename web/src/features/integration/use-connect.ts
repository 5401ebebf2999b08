import type { TaskTool } from '@tandem/contracts';
import { useSession } from '../../app/api';
import { redirectOut } from '../../lib/redirect-out';
import { notify } from '../../lib/notify';
import { isProblem } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { useAuthorizeTaskToolMutation } from './integration.api';

const setupRequired = (name: string) =>
  notify.info(t('integration.name_integration_setup_required', { name }), t('integration.oauth_is_not_configured'));

/** The Connect button: redirects to the task tool, or shows what is missing. */
export function useConnect({ key, name, oauth_configured }: TaskTool) {
  const { profile } = useSession();
  const [authorize, { isLoading }] = useAuthorizeTaskToolMutation();
  const connect = async () => {
    if (!profile.organization_id) return notify.error(t('integration.organization_not_found'));
    if (!oauth_configured) return setupRequired(name);
    const answer = await authorize({ provider: key });
    if (answer.data) redirectOut(answer.data.url);
    else if (isProblem(answer.error) && answer.error.code === 'task_tool.not_configured') setupRequired(name);
    else notify.problem(answer.error, t('integration.couldnt_connect_name', { name }));
  };
  return { connect: () => void connect(), isConnecting: isLoading };
}
