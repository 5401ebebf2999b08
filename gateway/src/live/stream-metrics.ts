import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { observableGauge, onScrape } from '@tandem/platform';
import { ChangeStreams } from '../changes/change-streams';
import { EventStreams } from './event-streams';
import { TicketStreams } from './ticket-streams';

const streams = observableGauge(
  'tandem_open_streams',
  'Open event streams of this process: of staff pages, of customers on a ticket page, and of programs that read changes',
  ['audience'],
);

/** Reports how many pages and programs this gateway serves with live events. */
@Injectable()
export class StreamMetrics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #stop: (() => void) | undefined;

  constructor(
    private readonly staff: EventStreams,
    private readonly customers: TicketStreams,
    private readonly programs: ChangeStreams,
  ) {}

  onApplicationBootstrap(): void {
    this.#stop = onScrape('streams', [streams], () => [
      { gauge: streams, value: this.staff.openCount, labels: { audience: 'staff' } },
      { gauge: streams, value: this.customers.openCount, labels: { audience: 'customer' } },
      { gauge: streams, value: this.programs.openCount, labels: { audience: 'program' } },
    ]);
  }

  beforeApplicationShutdown(): void {
    this.#stop?.();
  }
}
