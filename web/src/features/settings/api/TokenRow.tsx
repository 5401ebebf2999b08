import type { ApiToken } from '@tandem/contracts';
import { tokenPermissions } from '@tandem/contracts/values';
import { Ellipsis, KeyRound, Pencil, RefreshCw, ScrollText, Trash2, TriangleAlert } from 'lucide-react';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { t } from '../../../lib/staff-texts';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Countdown } from '../../../ui/Countdown';
import { Menu } from '../../../ui/Menu';
import { Rich } from '../../../ui/Rich';
import { Switch } from '../../../ui/Switch';
import { Time } from '../../../ui/Time';
import { expiryOf, isExpired, maskedValue } from './token-labels';
import { useUpdateApiTokenMutation } from './tokens.api';

export type TokenAction = 'edit' | 'rotate' | 'delete' | 'requests';

function Facts({ token }: { token: ApiToken }) {
  const { last_used_at } = token;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted">
      <span className="font-mono">{maskedValue(token)}</span>
      <span title={token.last_used_ip ? t('settings.api.from_last_used_ip', { last_used_ip: token.last_used_ip }) : undefined}>
        {last_used_at ? (
          <>
            <Rich text={t('settings.api.last_used')} tags={{ time: () => <Time iso={last_used_at} relative /> }} />
          </>
        ) : (
          t('settings.api.never_used')
        )}
      </span>
      <span>
        <Rich
          text={t('settings.api.created_by_creator_name', { creator_name: token.creator_name })}
          tags={{ time: () => <Time iso={token.created_at} relative /> }}
        />
      </span>
      {token.networks.length > 0 && (
        <>
          <span title={token.networks.join('\n')}>
            {token.networks.length > 1
              ? t('settings.api.only_from_networks', { network: token.networks[0]!, count: token.networks.length - 1 })
              : t('settings.api.only_from_value_name', { network: token.networks[0]! })}
          </span>
        </>
      )}
    </p>
  );
}

function Warnings({ token }: { token: ApiToken }) {
  const now = useNow();
  const { previous_valid_until } = token;
  return (
    <>
      {!token.creator_is_active && token.is_active && !isExpired(token, now) && (
        <p className="flex items-start gap-1.5 text-xs text-amber-text">
          <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
          {t('settings.api.creator_is_no_longer_member', { creator_name: token.creator_name })}
        </p>
      )}
      {previous_valid_until && Date.parse(previous_valid_until) > now && (
        <p className="flex items-start gap-1.5 text-xs text-amber-text">
          <RefreshCw className="mt-px size-3.5 shrink-0" aria-hidden />
          <span>
            <Rich
              text={t('settings.api.old_value_still_works_for')}
              tags={{ countdown: () => <Countdown until={previous_valid_until} /> }}
            />
          </span>
        </p>
      )}
    </>
  );
}

export function TokenRow({ token, onAction }: { token: ApiToken; onAction: (action: TokenAction) => void }) {
  const { name } = token;
  const now = useNow();
  const [update] = useUpdateApiTokenMutation();
  const expiry = expiryOf(token, now);
  const toggle = async (is_active: boolean) => {
    const { error } = await update({ id: token.id, changes: { is_active } });
    if (error) notify.problem(error, t('settings.api.couldnt_update_token'));
    else notify.success(is_active ? t('settings.api.api_token_activated') : t('settings.api.api_token_deactivated'));
  };
  return (
    <li className="flex items-start gap-3 border-b px-4 py-3.5 last:border-b-0">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-md border bg-sunken text-muted max-md:hidden">
        <KeyRound className="size-4" aria-hidden />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate font-medium" title={name}>
            {name}
          </span>
          <Badge tone={expiry.tone}>{expiry.text}</Badge>
          {!token.is_active && <Badge>{t('settings.api.inactive')}</Badge>}
        </p>
        <Facts token={token} />
        <ul aria-label={t('settings.api.permissions')} className="flex flex-wrap gap-1">
          {token.permissions.map((permission) => (
            <li key={permission} className="flex">
              <Badge tone="gray" title={tokenPermissions[permission].description}>
                {tokenPermissions[permission].label}
              </Badge>
            </li>
          ))}
        </ul>
        <Warnings token={token} />
      </div>
      <div className="flex shrink-0 items-center gap-2">
        {!isExpired(token, now) && (
          <Switch label={t('settings.api.is_on', { name })} hideLabel checked={token.is_active} onChange={(on) => void toggle(on)} />
        )}
        <Menu
          trigger={
            <Button variant="ghost" size="icon-sm" aria-label={t('settings.api.actions_for_name', { name })}>
              <Ellipsis aria-hidden />
            </Button>
          }
          entries={[
            { label: t('settings.api.view_requests'), icon: ScrollText, onSelect: () => onAction('requests') },
            { label: t('settings.api.edit_name_and_networks'), icon: Pencil, onSelect: () => onAction('edit') },
            { label: t('settings.api.rotate'), icon: RefreshCw, onSelect: () => onAction('rotate') },
            'separator',
            { label: t('settings.api.delete'), icon: Trash2, onSelect: () => onAction('delete') },
          ]}
        />
      </div>
    </li>
  );
}
