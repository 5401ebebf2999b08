import type { Device } from '@tandem/contracts';
import { useState } from 'react';
import { useBrowserName } from '../../lib/browser-name';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { t } from '../../lib/staff-texts';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNote } from '../../ui/ErrorNote';
import { Rich } from '../../ui/Rich';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { useListDevicesQuery, useRevokeDeviceMutation, useRevokeOtherDevicesMutation } from './account.api';
import { Section } from './Section';

function DeviceRow({ device, name }: { device: Device; name: string }) {
  const [revoke] = useRevokeDeviceMutation();
  const end = async () => {
    const { error } = await revoke(device.id);
    if (!error) return notify.success(t('account.name_is_signed_out', { name }));
    if (isProblem(error) && error.code === 'device.not_found') return notify.success(t('account.session_has_already_ended'));
    notify.problem(error, t('account.couldnt_sign_out_name', { name }));
  };
  return (
    <li className="flex items-center gap-4 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {device.current && <Badge tone="green">{t('account.this_device')}</Badge>}
        </p>
        <p className="text-xs text-muted">
          {device.ip ? (
            <Rich
              text={t('account.device_with_address', { ip: device.ip })}
              tags={{ time: () => <Time relative iso={device.created_at} />, time2: () => <Time relative iso={device.last_seen_at} /> }}
            />
          ) : (
            <Rich
              text={t('account.device_without_address')}
              tags={{ time: () => <Time relative iso={device.created_at} />, time2: () => <Time relative iso={device.last_seen_at} /> }}
            />
          )}
        </p>
      </div>
      {!device.current && (
        <Button size="sm" aria-label={t('account.sign_out_name', { name })} onClick={() => void end()}>
          {t('account.sign_out')}
        </Button>
      )}
    </li>
  );
}

function SignOutOthers({ count }: { count: number }) {
  const [asking, setAsking] = useState(false);
  const [revoke] = useRevokeOtherDevicesMutation();
  const end = async () => {
    setAsking(false);
    const { data, error } = await revoke();
    if (error) return notify.problem(error, t('account.couldnt_sign_out_other_devices'));
    notify.success(t('account.other_devices_are_signed_out', { ended: data.ended }));
  };
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t('account.sign_out_everywhere_else')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('account.confirm_sign_out_everywhere_else')}
        description={t('account.other_devices_have_to_sign_in_again', { count })}
        action={t('account.sign_out_everywhere_else')}
        onConfirm={() => void end()}
      />
    </>
  );
}

/** The user's sessions, latest first. */
export function DevicesSection() {
  const { data: devices, error, isFetching, refetch } = useListDevicesQuery(undefined, { refetchOnMountOrArgChange: true });
  const nameOf = useBrowserName();
  const others = devices?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title={t('account.devices')} actions={others > 0 && <SignOutOthers count={others} />}>
      {error && !devices && (
        <ErrorNote
          title={t('account.couldnt_load_your_devices')}
          detail={messageOf(error, '')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!error && !(devices && nameOf) && <Skeleton className="h-16 w-full" />}
      {devices && nameOf && (
        <ul className="divide-y">
          {devices.map((device) => (
            <DeviceRow key={device.id} device={device} name={nameOf(device.user_agent)} />
          ))}
        </ul>
      )}
    </Section>
  );
}
