import { matchesTag } from '@tandem/messaging';
import { Injectable } from '@nestjs/common';
import type { GatewayRequest } from '../request';

interface KnownTag {
  tag: string;
  /** The version of the data that was read before the response: the response has its changes, and perhaps later ones. */
  dataVersion: string;
  until: number;
}

/** A change that its service could not announce, because it was killed right after the commit, is seen after this time. */
const knownMs = 60_000;
const capacity = 5_000;
/** Bounds the memory together with `capacity`. Longer URLs have long lists of filters, which are rarely requested again. */
const maxKeyLength = 512;

/**
 * The entity tags of responses to `versioned` operations, per caller and URL, for answering 304 without their service. Exact although the
 * gateway has no data: the version is read from Redis for each request, together with the limits, and every committed change renews it
 * before its caller gets a response. Without Redis no tag matches. The guards have checked the caller before.
 */
@Injectable()
export class KnownTags {
  readonly #known = new Map<string, KnownTag>();

  /** The tag of the response if the client has it and nothing has changed since. */
  matching(request: GatewayRequest): string | undefined {
    const ifNoneMatch = request.headers['if-none-match'];
    if (request.dataVersion === undefined || ifNoneMatch === undefined) return undefined;
    const known = this.#known.get(keyOf(request));
    if (known === undefined || known.dataVersion !== request.dataVersion || known.until <= Date.now()) return undefined;
    return matchesTag(known.tag, ifNoneMatch) ? known.tag : undefined;
  }

  /** Remembers the tag of a response, if it has one. */
  add(request: GatewayRequest, { status, headers }: { status: number; headers: Record<string, string> }): void {
    const tag = headers['etag'];
    if (request.dataVersion === undefined || tag === undefined || (status !== 200 && status !== 304)) return;
    const key = keyOf(request);
    if (key.length > maxKeyLength) return;
    this.#known.delete(key);
    const oldest = this.#known.size >= capacity ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, { tag, dataVersion: request.dataVersion, until: Date.now() + knownMs });
  }
}

/** Per caller, because a list shows each user's unread tickets. A user belongs to one organization at a time: it is part of the key. */
const keyOf = ({ user, apiToken, raw }: GatewayRequest): string =>
  `${apiToken?.organization_id ?? user?.org} ${apiToken?.id ?? user?.sub} ${raw.url}`;
