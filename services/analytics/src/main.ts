import { runService } from '@tandem/platform';
import { analyticsService } from './analytics.module';

runService(analyticsService);
