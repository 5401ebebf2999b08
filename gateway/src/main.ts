import { runService } from '@tandem/platform';
import { gateway } from './gateway.module';

runService(gateway);
