import type { Organization } from '@tandem/contracts';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
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
    if (!answer.error) notify.success(t('team.settings_saved'));
    else if (!isOwnFirst(answer.error)) notify.problem(answer.error, t('team.failed_to_save_settings'));
  };
  return (
    <Card aria-labelledby={id}>
      <CardHeader id={id} title={t('team.sign_in_rules')} />
      <div className="flex flex-col gap-3 p-4">
        <Switch
          label={t('team.require_two_factor_of_admins')}
          checked={organization.require_mfa_for_admins}
          onChange={(on) => void require(on)}
        />
        <p className="text-muted">{t('team.when_admins_set_up_two_factor')}</p>
        {isOwnFirst(error) && (
          <Alert tone="destructive">
            {messageOf(error, t('team.set_up_two_factor_first'))}.{' '}
            <Link to="/account" className="font-medium underline">
              {t('team.go_to_your_account')}
            </Link>
          </Alert>
        )}
      </div>
    </Card>
  );
}
