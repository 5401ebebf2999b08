import 'reflect-metadata';
import { runService } from '@tandem/platform';
import { integrationsService } from './integrations.module';

runService(integrationsService);
