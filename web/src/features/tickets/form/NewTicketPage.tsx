import { defaultPriority } from '@tandem/contracts/values';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useSession } from '../../../app/api';
import { notify } from '../../../lib/notify';
import { isWithdrawn } from '../../../lib/problem';
import { t } from '../../../lib/staff-texts';
import { keyPerText } from '../../../lib/unique';
import { Button } from '../../../ui/Button';
import { PageHeader } from '../../../ui/PageHeader';
import { DropArea } from '../../../ui/DropArea';
import { FileButton } from '../../../ui/FileButton';
import { filesOf } from '../../../lib/uploads';
import type { Uploads } from '../../../lib/use-uploads';
import { UploadTray } from '../../../ui/UploadTray';
import { useUploads } from '../attachments/use-uploads';
import { TicketForm } from './TicketForm';
import { useCreateTicketMutation } from './create-ticket.api';
import { NewTicketFields, useNewTicketFields } from './NewTicketFields';
import { emptyTicket, useTicketForm } from './use-ticket-form';

function Files({ uploads }: { uploads: Uploads }) {
  return (
    <>
      <div className="flex items-center gap-1 text-xs text-muted">
        <FileButton onFiles={uploads.add} className="-ml-1.5" />
        <span>{t('tickets.form.attach_drop_or_paste_files')}</span>
      </div>
      <UploadTray uploads={uploads.uploads} onRemove={uploads.remove} onRetry={uploads.retry} />
    </>
  );
}

export function NewTicketPage() {
  const { organization } = useSession();
  const form = useTicketForm({ ...emptyTicket, priority: organization?.default_priority ?? defaultPriority });
  const fields = useNewTicketFields(form.values.category);
  const uploads = useUploads();
  const [create, { isLoading }] = useCreateTicketMutation();
  const navigate = useNavigate();
  const [keyOf] = useState(keyPerText);
  const { frame } = form;
  useEffect(() => frame.current?.querySelector('input')?.focus(), [frame]);
  const submit = async () => {
    const values = form.checked();
    const custom_fields = fields.checked();
    if (!values || !custom_fields || uploads.isBusy) return;
    const ticket = {
      ...values,
      ...(uploads.ids.length > 0 ? { attachment_ids: uploads.ids } : {}),
      ...(Object.keys(custom_fields).length > 0 ? { custom_fields } : {}),
    };
    const { data, error } = await create({ ...ticket, key: keyOf(JSON.stringify(ticket)) });
    if (data) {
      notify.success(t('tickets.form.ticket_created_successfully'));
      return navigate(`/tickets/${data.id}`, { replace: true });
    }
    if (isWithdrawn(error)) return;
    form.refuse(error);
    fields.refuse(error);
    notify.error(t('tickets.form.failed_to_create_ticket'));
  };
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <PageHeader title={t('tickets.form.new_ticket')} />
      <DropArea onFiles={uploads.add} className="mx-auto max-w-2xl p-6 max-md:p-4">
        <p className="mb-6 text-muted">{t('tickets.form.create_ticket_for_customer')}</p>
        <TicketForm
          form={form}
          files={<Files uploads={uploads} />}
          fields={<NewTicketFields form={fields} />}
          onPaste={(event) => {
            const pasted = filesOf(event);
            if (pasted.length === 0 || event.clipboardData.types.includes('text/plain')) return;
            event.preventDefault();
            uploads.add(pasted);
          }}
          onSubmit={() => void submit()}
          footer={
            <>
              <Button asChild variant="ghost">
                <Link to="/tickets">{t('tickets.form.cancel')}</Link>
              </Button>
              <Button type="submit" variant="primary" busy={isLoading} disabled={uploads.isBusy}>
                {t('tickets.form.create_ticket')}
              </Button>
            </>
          }
        />
      </DropArea>
    </div>
  );
}
