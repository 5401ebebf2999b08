import type { ApiToken } from '@tandem/contracts';
import { tokenPermissions } from '@tandem/contracts/values';
import { Ellipsis, KeyRound, Pencil, RefreshCw, ScrollText, Trash2, TriangleAlert } from 'lucide-react';
import { notify } from '../../../lib/notify';
import { useNow } from '../../../lib/now';
import { Badge } from '../../../ui/Badge';
import { Button } from '../../../ui/Button';
import { Countdown } from '../../../ui/Countdown';
import { Menu } from '../../../ui/Menu';
import { Switch } from '../../../ui/Switch';
import { Time } from '../../../ui/Time';
import { expiryOf, isExpired, maskedValue } from './token-labels';
import { useUpdateApiTokenMutation } from './tokens.api';

export type TokenAction = 'edit' | 'rotate' | 'delete' | 'requests';

function Facts({ token }: { token: ApiToken }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-0.5 text-xs text-muted">
      <span className="font-mono">{maskedValue(token)}</span>
      <span title={token.last_used_ip ? `From ${token.last_used_ip}` : undefined}>
        {token.last_used_at ? (
          <>
            Last used <Time iso={token.last_used_at} relative />
          </>
        ) : (
          'Never used'
        )}
      </span>
      <span>
        Created by {token.creator_name}, <Time iso={token.created_at} relative />
      </span>
      {token.networks.length > 0 && (
        <>
          <span title={token.networks.join('\n')}>
            Only from {token.networks[0]}
            {token.networks.length > 1 && ` and ${token.networks.length - 1} more`}
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
          {token.creator_name} is no longer an active member, but the token still works. Rotate or delete it if they might have a copy.
        </p>
      )}
      {previous_valid_until && Date.parse(previous_valid_until) > now && (
        <p className="flex items-start gap-1.5 text-xs text-amber-text">
          <RefreshCw className="mt-px size-3.5 shrink-0" aria-hidden />
          <span>
            The old value still works for <Countdown until={previous_valid_until} />
          </span>
        </p>
      )}
    </>
  );
}

export function TokenRow({ token, onAction }: { token: ApiToken; onAction: (action: TokenAction) => void }) {
  const now = useNow();
  const [update] = useUpdateApiTokenMutation();
  const expiry = expiryOf(token, now);
  const toggle = async (is_active: boolean) => {
    const { error } = await update({ id: token.id, changes: { is_active } });
    if (error) notify.problem(error, 'Couldn’t update the token');
    else notify.success(is_active ? 'API token activated.' : 'API token deactivated.');
  };
  return (
    <li className="flex items-start gap-3 border-b px-4 py-3.5 last:border-b-0">
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-md border bg-sunken text-muted max-md:hidden">
        <KeyRound className="size-4" aria-hidden />
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <span className="max-w-full truncate font-medium" title={token.name}>
            {token.name}
          </span>
          <Badge tone={expiry.tone}>{expiry.text}</Badge>
          {!token.is_active && <Badge>Inactive</Badge>}
        </p>
        <Facts token={token} />
        <ul aria-label="Permissions" className="flex flex-wrap gap-1">
          {token.permissions.map((name) => (
            <li key={name} className="flex">
              <Badge tone="gray" title={tokenPermissions[name].description}>
                {tokenPermissions[name].label}
              </Badge>
            </li>
          ))}
        </ul>
        <Warnings token={token} />
      </div>
      <div className="flex shrink-0 items-center gap-2">
        {!isExpired(token, now) && (
          <Switch label={`${token.name} is active`} hideLabel checked={token.is_active} onChange={(on) => void toggle(on)} />
        )}
        <Menu
          trigger={
            <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${token.name}`}>
              <Ellipsis aria-hidden />
            </Button>
          }
          entries={[
            { label: 'View requests', icon: ScrollText, onSelect: () => onAction('requests') },
            { label: 'Edit name and networks', icon: Pencil, onSelect: () => onAction('edit') },
            { label: 'Rotate', icon: RefreshCw, onSelect: () => onAction('rotate') },
            'separator',
            { label: 'Delete', icon: Trash2, onSelect: () => onAction('delete') },
          ]}
        />
      </div>
    </li>
  );
}
