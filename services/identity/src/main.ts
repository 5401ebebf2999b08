import { runService } from '@tandem/platform';
import { identityService } from './identity.module';

runService(identityService);
