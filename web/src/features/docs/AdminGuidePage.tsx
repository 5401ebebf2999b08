import { metricDefinitions } from '@tandem/contracts/values';
import { DocsPage } from './DocsPage';
import { DocsTabs } from './DocsTabs';
import { Integrations } from './admin-guide/Integrations';
import { Monitoring } from './admin-guide/Monitoring';
import { MovingData } from './admin-guide/MovingData';
import { Organization } from './admin-guide/Organization';
import { Privacy } from './admin-guide/Privacy';
import { Security } from './admin-guide/Security';
import { UserManagement } from './admin-guide/UserManagement';

/** /docs/admin-guide */
export const AdminGuidePage = () => (
  <DocsPage name="admin-guide">
    <DocsTabs
      label="Admin guide"
      tabs={[
        { value: 'organization', label: 'Organization', panel: <Organization /> },
        { value: 'users', label: 'User Management', panel: <UserManagement /> },
        { value: 'security', label: 'Security', panel: <Security /> },
        { value: 'monitoring', label: 'Monitoring', panel: <Monitoring />, anchors: ['how-we-count', ...Object.keys(metricDefinitions)] },
        { value: 'integrations', label: 'Integrations', panel: <Integrations /> },
        { value: 'data', label: 'Data', panel: <MovingData /> },
        { value: 'privacy', label: 'Privacy', panel: <Privacy /> },
      ]}
    />
  </DocsPage>
);
