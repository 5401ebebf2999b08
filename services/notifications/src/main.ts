import 'reflect-metadata';
import { runService } from '@tandem/platform';
import { notificationsService } from './notifications.module';

runService(notificationsService);
