import { t } from '../../lib/staff-texts';
import { PageHeader } from '../../ui/PageHeader';
import { IntegrationPanel } from './IntegrationPanel';

/** /integration: the task tool, and the lists in which tickets become tasks. */
export const IntegrationPage = () => (
  <div className="min-h-0 flex-1 overflow-y-auto bg-canvas">
    <PageHeader title={t('integration.integration')} />
    <div className="mx-auto max-w-4xl p-6 max-md:p-4">
      <IntegrationPanel />
    </div>
  </div>
);
