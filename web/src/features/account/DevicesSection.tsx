import type { Device } from '@tandem/contracts';
import { useState } from 'react';
import { useBrowserName } from '../../lib/browser-name';
import { notify } from '../../lib/notify';
import { isProblem, messageOf } from '../../lib/problem';
import { Badge } from '../../ui/Badge';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { ErrorNote } from '../../ui/ErrorNote';
import { Skeleton } from '../../ui/Skeleton';
import { Time } from '../../ui/Time';
import { useListDevicesQuery, useRevokeDeviceMutation, useRevokeOtherDevicesMutation } from './account.api';
import { Section } from './Section';

function DeviceRow({ device, name }: { device: Device; name: string }) {
  const [revoke] = useRevokeDeviceMutation();
  const end = async () => {
    const { error } = await revoke(device.id);
    if (!error) return notify.success(`${name} is signed out`);
    if (isProblem(error) && error.code === 'device.not_found') return notify.success('This session has already ended');
    notify.problem(error, `Couldn’t sign out ${name}`);
  };
  return (
    <li className="flex items-center gap-4 py-2.5 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {device.current && <Badge tone="green">This device</Badge>}
        </p>
        <p className="text-xs text-muted">
          {device.ip && `${device.ip} · `}
          Signed in <Time relative iso={device.created_at} /> · Last active <Time relative iso={device.last_seen_at} />
        </p>
      </div>
      {!device.current && (
        <Button size="sm" aria-label={`Sign out ${name}`} onClick={() => void end()}>
          Sign out
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
    if (error) return notify.problem(error, 'Couldn’t sign out the other devices');
    notify.success(data.ended === 1 ? '1 other device has been signed out' : `${data.ended} other devices are signed out`);
  };
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        Sign out everywhere else
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Sign out everywhere else?"
        description={`${count === 1 ? 'One other device has' : `${count} other devices have`} to sign in again. Unsaved changes there are lost.`}
        action="Sign out everywhere else"
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
    <Section title="Devices" actions={others > 0 && <SignOutOthers count={others} />}>
      {error && !devices && (
        <ErrorNote title="Couldn’t load your devices" detail={messageOf(error, '')} busy={isFetching} onRetry={() => void refetch()} />
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
