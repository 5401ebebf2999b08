import { findWidget, systemContext, type OutputOf } from '@tandem/contracts';
import { LiveEvents, Services } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import { CachedLookup } from './cached-lookup';

export type Widget = NonNullable<OutputOf<typeof findWidget>>;

/** A subdomain or an organization's id. */
const plausible = (key: string) => /^[a-z0-9-]{1,63}$/.test(key);

/** Resolves a widget key to its organization and the sites that may embed the widget. */
@Injectable()
export class WidgetOfKey {
  private readonly widgets: CachedLookup<Widget>;

  constructor(services: Services, live: LiveEvents) {
    const load = (key: string, request_id: string) => services.call(findWidget, systemContext(null, request_id), { query: { key } });
    this.widgets = new CachedLookup(live, load, ['organization.', 'widget.']);
  }

  /** Null for an unknown key. Case-insensitive, because people copy keys into their pages manually. */
  async find(key: string, request_id: string): Promise<Widget | null> {
    const name = key.trim().toLowerCase();
    return plausible(name) ? this.widgets.find(name, request_id) : null;
  }
}
