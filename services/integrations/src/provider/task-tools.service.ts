import { Controller } from '@nestjs/common';
import { listTaskTools, type OutputOf } from '@tandem/contracts';
import { Handles } from '@tandem/messaging';
import { taskTools } from './registry';

/** What can be connected: the screens list this and know no tool by name. */
@Controller()
export class TaskToolService {
  @Handles(listTaskTools)
  async list(): Promise<OutputOf<typeof listTaskTools>> {
    return Object.values(taskTools).map(({ key, name, capabilities }) => ({ key, name, capabilities }));
  }
}
