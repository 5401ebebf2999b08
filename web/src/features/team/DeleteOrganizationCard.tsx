import type { Organization } from '@tandem/contracts';
import { deletionRules } from '@tandem/contracts/values';
import { lazy, Suspense, useId, useState } from 'react';
import { CancelDeletionButton } from '../../app/CancelDeletionButton';
import { formatMoment } from '../../lib/dates';
import { t } from '../../lib/staff-texts';
import { Button } from '../../ui/Button';
import { Card, CardHeader } from '../../ui/Card';

const DeleteOrganizationDialog = lazy(() =>
  import('./DeleteOrganizationDialog').then((module) => ({ default: module.DeleteOrganizationDialog })),
);

function List({ title, items }: { title: string; items: string[] }) {
  return (
    <div>
      <h3 className="font-medium">{title}</h3>
      <ul className="mt-1 list-disc space-y-0.5 pl-5 text-muted">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </div>
  );
}

/** What a deletion deletes and what remains, and the button that requests or cancels it. */
export function DeleteOrganizationCard({ organization }: { organization: Organization }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [wanted, setWanted] = useState(false);
  const { deletion_at } = organization;
  return (
    <Card id="delete-organization" aria-labelledby={id} className="scroll-mt-5 after-skeletons">
      <CardHeader id={id} title={t('team.delete_organization')} />
      <div className="flex flex-col items-start gap-4 p-4">
        <p className="text-muted">{t('team.how_deletion_works', { days: deletionRules.days })}</p>
        <div className="grid w-full gap-4 md:grid-cols-2">
          <List
            title={t('team.deleted')}
            items={[t('team.deleted_tickets_and_files'), t('team.deleted_settings'), t('team.deleted_accounts'), t('team.deleted_portal')]}
          />
          <List title={t('team.not_deleted')} items={[t('team.kept_sent_emails'), t('team.kept_tasks'), t('team.kept_backups')]} />
        </div>
        {deletion_at ? (
          <>
            <p className="font-medium text-red-text">{t('team.will_be_deleted_on', { date: formatMoment(deletion_at) })}</p>
            <CancelDeletionButton organization_id={organization.id} />
          </>
        ) : (
          <Button
            variant="danger"
            onClick={() => {
              setWanted(true);
              setOpen(true);
            }}
          >
            {t('team.delete_organization_button')}
          </Button>
        )}
      </div>
      {wanted && (
        <Suspense fallback={null}>
          <DeleteOrganizationDialog organization={organization} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </Card>
  );
}
