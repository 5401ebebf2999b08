import type { Member, UpdateMember } from '@tandem/contracts';
import { roleRank, type Role } from '@tandem/contracts/values';
import { Ellipsis, ShieldCheck, ShieldOff } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../../app/api';
import { cn } from '../../lib/cn';
import { nameOf } from '../../lib/names';
import { notify } from '../../lib/notify';
import { roleOptions, roleTexts } from '../../lib/roles';
import { t } from '../../lib/staff-texts';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { Menu } from '../../ui/Menu';
import { Rich } from '../../ui/Rich';
import { Select } from '../../ui/Select';
import { Switch } from '../../ui/Switch';
import { Time } from '../../ui/Time';
import { useResetMemberMfaMutation, useUpdateMemberMutation } from './team.api';

/** A change that takes rights away from the current user: needs confirmation. */
interface OwnLoss {
  changes: UpdateMember;
  description: string;
}
function ownLoss(member: Member, changes: UpdateMember): OwnLoss | undefined {
  if (changes.is_active === false) return { changes, description: t('team.what_deactivating_yourself_does') };
  if (changes.role && roleRank[changes.role] < roleRank[member.role]) {
    const description = t('team.what_lowering_your_role_does', { name: roleTexts[changes.role].name });
    return { changes, description };
  }
  return undefined;
}

function Who({ member, isMe }: { member: Member; isMe: boolean }) {
  const name = nameOf(member);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-3">
      <Avatar name={name} size="md" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-1.5">
          <span className={cn('max-w-full truncate font-medium', !member.is_active && 'text-muted')} title={member.email}>
            {name}
          </span>
          {isMe && <Badge tone="accent">{t('team.you')}</Badge>}
          {!member.is_active && <Badge>{t('team.inactive')}</Badge>}
          {member.mfa_enabled && (
            <Badge tone="green">
              <ShieldCheck aria-hidden />
              {t('team.two_factor')}
            </Badge>
          )}
        </p>
        {name !== member.email && (
          <p className="truncate text-muted" title={member.email}>
            {member.email}
          </p>
        )}
        <p className="text-xs text-muted">
          <Rich text={t('team.joined')} tags={{ time: () => <Time iso={member.created_at} /> }} />
        </p>
      </div>
    </div>
  );
}

function ResetMfa({ member }: { member: Member }) {
  const [asking, setAsking] = useState(false);
  const [reset, { isLoading }] = useResetMemberMfaMutation();
  const name = nameOf(member);
  const confirm = async () => {
    const { error } = await reset(member.user_id);
    setAsking(false);
    if (error) notify.problem(error, t('team.couldnt_reset_two_factor'));
    else notify.success(t('team.two_factor_sign_in_reset'), t('team.two_factor_was_reset', { name }));
  };
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={t('team.actions_for_name', { name })}>
            <Ellipsis aria-hidden />
          </Button>
        }
        entries={[{ label: t('team.reset_two_factor'), icon: ShieldOff, onSelect: () => setAsking(true) }]}
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('team.confirm_reset_two_factor', { name })}
        description={t('team.what_resetting_two_factor_does')}
        action={t('team.reset_two_factor')}
        onConfirm={() => void confirm()}
        busy={isLoading}
      />
    </>
  );
}

export function MemberRow({ member }: { member: Member }) {
  const { profile } = useSession();
  const [update] = useUpdateMemberMutation();
  const [asked, setAsked] = useState<OwnLoss>();
  const isMe = member.user_id === profile.user_id;
  const name = nameOf(member);
  const apply = async (changes: UpdateMember) => {
    const { error } = await update({ user_id: member.user_id, changes });
    if (error) notify.problem(error, t('team.failed_to_update_member'));
    else notify.success(t('team.member_updated'));
  };
  const change = (changes: UpdateMember) => {
    const loss = isMe ? ownLoss(member, changes) : undefined;
    if (loss) setAsked(loss);
    else void apply(changes);
  };
  return (
    <li className="flex items-center gap-x-4 gap-y-2 px-4 py-3 max-md:flex-wrap">
      <Who member={member} isMe={isMe} />
      <div className="flex shrink-0 items-center gap-3 max-md:w-full max-md:pl-11">
        <div className="w-36 max-md:flex-1">
          <Select
            label={t('team.role_of_name', { name })}
            value={member.role}
            options={roleOptions}
            onChange={(role) => role !== member.role && change({ role: role as Role })}
          />
        </div>
        <Switch
          label={t('team.name_is_active', { name })}
          hideLabel
          checked={member.is_active}
          onChange={(is_active) => change({ is_active })}
        />
        <span className="flex size-7 items-center justify-center touch:size-9">
          {member.mfa_enabled && !isMe && <ResetMfa member={member} />}
        </span>
      </div>
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title={t('team.give_up_your_own_access')}
        description={asked?.description ?? ''}
        action={t('team.give_up_access')}
        onConfirm={() => {
          if (asked) void apply(asked.changes);
          setAsked(undefined);
        }}
      />
    </li>
  );
}
