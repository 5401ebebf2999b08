import { runService } from '@tandem/platform';
import { ticketsService } from './tickets.module';

runService(ticketsService);
