import type { Organization } from '@tandem/contracts';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { Alert } from '../../ui/Alert';
import { Card, CardHeader } from '../../ui/Card';
import { Switch } from '../../ui/Switch';
import { useUpdateOrganizationMutation } from './team.api';

const isOwnFirst = (error: unknown) => isProblem(error) && error.code === 'mfa.own_first';

export function SignInRules({ organization }: { organization: Organization }) {
  const id = useId();
  const [update, { error }] = useUpdateOrganizationMutation();
  const require = async (require_mfa_for_admins: boolean) => {
    const answer = await update({ id: organization.id, changes: { require_mfa_for_admins } });
    if (!answer.error) notify.success('Settings saved!');
    else if (!isOwnFirst(answer.error)) notify.problem(answer.error, 'Failed to save settings');
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title="Sign-in rules" />
      <div className="flex flex-col gap-3 p-4">
        <Switch
          label="Require two-factor sign-in for admins"
          checked={organization.require_mfa_for_admins}
          onChange={(on) => void require(on)}
        />
        <p className="text-muted">Admins must set it up at their next sign-in.</p>
        {isOwnFirst(error) && (
          <Alert tone="destructive">
            {messageOf(error, 'Set up two-factor sign-in for yourself first')}.{' '}
            <Link to="/account" className="font-medium underline">
              Go to your account
            </Link>
          </Alert>
        )}
      </div>
    </Card>
  );
}
