import { Controller, Inject } from '@nestjs/common';
import { listTaskTools, type OutputOf } from '@tandem/contracts';
import { Handles } from '@tandem/messaging';
import type { IntegrationsConfig } from '../config';
import { taskTools } from './registry';

/** The task tools that can be connected; the web app lists them from here and has no built-in names. */
@Controller()
export class TaskToolService {
  constructor(@Inject('CONFIG') private readonly config: IntegrationsConfig) {}

  @Handles(listTaskTools)
  async list(): Promise<OutputOf<typeof listTaskTools>> {
    return Object.values(taskTools).map((tool) => {
      const { key, name, capabilities, levels, personal_token } = tool;
      const oauth_configured = tool.authorizeUrl(this.config, { state: 'none', redirect_uri: this.config.PUBLIC_URL }) !== undefined;
      return { key, name, capabilities, levels, personal_token, oauth_configured };
    });
  }
}
