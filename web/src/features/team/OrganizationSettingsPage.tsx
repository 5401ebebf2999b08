import { PageHeader } from '../../ui/PageHeader';
import { OrganizationPanel } from './OrganizationPanel';

export function OrganizationSettingsPage() {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
      <PageHeader title="Organization Settings" />
      <div className="mx-auto max-w-4xl p-6 max-md:p-4">
        <OrganizationPanel />
      </div>
    </div>
  );
}
