import { ApiReference } from './ApiReference';
import { RateLimits } from './RateLimits';
import { RestApi } from './RestApi';
import { Webhooks } from './Webhooks';

/** The reference with all tabs, which a static rendering cannot load. */
export const ApiReferenceDocument = () => <ApiReference RestApi={RestApi} Webhooks={Webhooks} RateLimits={RateLimits} />;
