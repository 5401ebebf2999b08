import type { Presence } from '@tandem/contracts';
import { connectRedis } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Redis, Result } from 'ioredis';
import type { GatewayConfig } from '../config';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    markPresence(ticket: string, slot: string, ...details: (string | number)[]): Result<[people: string, isLate: number], Context>;
  }
}

/** Browsers renew every 25 seconds, so one renewal may be lost. Changes of one user at one ticket are published at most once a second. */
const defaultTimes = { markMs: 45_000, publishMs: 1_000 };
/** Upper bounds per ticket and per user, to stop abuse. */
const maxMarksPerTicket = 200;
const maxMarksPerUser = 10;
/** Maximum number of delayed publications per process; beyond it, the next renewal publishes the change. */
const maxWaiting = 10_000;

/**
 * Stores presence in one hash per ticket, with one field `<user> <visit>` and the value `<until> <state>`. The script sets or removes a
 * field (an empty state changes nothing and only publishes), removes expired fields, and publishes to all replicas if the visible state has
 * changed. If this user's previous change was published less than a second ago, it returns 1: the caller has to publish later.
 */
const markScript = `
local user, visit, state, organization, ticket, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local life, pause, max, max_of_user = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local field = user .. ' ' .. visit
-- A user with several pages open is shown once, with the state of the highest precedence.
local weight = { viewing = 1, writing_note = 2, writing = 3 }

local function seen()
  local people, marks, own, all = {}, redis.call('HGETALL', KEYS[1]), 0, 0
  for i = 1, #marks, 2 do
    local who = string.match(marks[i], '^%S+')
    local doing = string.match(marks[i + 1], '%S+$')
    all = all + 1
    if who == user then own = own + 1 end
    if (weight[doing] or 0) > (weight[people[who]] or 0) then people[who] = doing end
  end
  local list = {}
  for who, doing in pairs(people) do list[#list + 1] = '{"user_id":"' .. who .. '","state":"' .. doing .. '"}' end
  table.sort(list)
  return '[' .. table.concat(list, ',') .. ']', own, all
end

local before, own, all = seen()
if state == 'left' then
  redis.call('HDEL', KEYS[1], field)
elseif state ~= '' and (redis.call('HEXISTS', KEYS[1], field) == 1 or (own < max_of_user and all < max)) then
  redis.call('HSET', KEYS[1], field, string.format('%.0f', now + life) .. ' ' .. state)
end
local marks = redis.call('HGETALL', KEYS[1])
for i = 1, #marks, 2 do
  if tonumber(string.match(marks[i + 1], '^%d+')) <= now then redis.call('HDEL', KEYS[1], marks[i]) end
end
if state ~= '' then redis.call('PEXPIRE', KEYS[1], life) end

local after = seen()
if state ~= '' and before == after then return { after, 0 } end
if not redis.call('SET', KEYS[2], '1', 'NX', 'PX', pause) then return { after, 1 } end
redis.call('PUBLISH', channel, '{"organization_id":"' .. organization .. '","ticket_id":"' .. ticket .. '","people":' .. after .. '}')
return { after, 0 }`;

interface PresenceMessage {
  organization_id: string;
  ticket_id: string;
  people: Presence[];
}
type Listener = (presence: Pick<PresenceMessage, 'ticket_id' | 'people'>) => void;

/**
 * A user at a ticket of an organization. The Redis keys begin with the caller's own organization id, so no caller can reach another
 * organization's keys.
 */
export interface AtTicket {
  organization_id: string;
  ticket_id: string;
  user_id: string;
}

/**
 * Which people have which ticket open. Stored in Redis for all replicas, with automatic expiry. No other feature depends on it: without
 * Redis no presence is shown, and everything else works.
 */
export class PresenceStore implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly subscriber: Redis;
  private readonly prefix: string;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  /** @param times shorter in tests */
  constructor(
    config: Pick<GatewayConfig, 'REDIS_URL' | 'REDIS_PREFIX'>,
    log: Logger,
    private readonly times = defaultTimes,
  ) {
    this.prefix = `${config.REDIS_PREFIX}:presence`;
    this.redis = connectRedis(config.REDIS_URL, log, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 1_000,
      scripts: { markPresence: { lua: markScript, numberOfKeys: 2 } },
    });
    // A Redis connection that subscribes cannot run other commands.
    this.subscriber = connectRedis(config.REDIS_URL, undefined, { autoResubscribe: false });
    this.subscriber.on('ready', () => void this.subscriber.subscribe(this.prefix).catch(() => undefined));
    this.subscriber.on('message', (_, message: string) => this.onMessage(JSON.parse(message) as PresenceMessage));
  }

  /** Waits up to 500 ms for Redis: calls before the first connection fail because of `enableOfflineQueue: false`. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.redis.status === 'ready') return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 500);
      this.redis.once('ready', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** The people present after the change, once each, with their most relevant state; empty if Redis is unavailable. */
  async mark(who: AtTicket, state: Presence['state'] | 'left', visit: string): Promise<Presence[]> {
    try {
      const [people, isLate] = await this.run(who, state, visit);
      if (isLate) this.publishLater(who);
      return JSON.parse(people) as Presence[];
    } catch {
      return [];
    }
  }

  /** Calls `listener` for every change in the organization until the returned function is called. It must not throw or block. */
  subscribe(organization_id: string, listener: Listener): () => void {
    const listeners = this.listeners.get(organization_id) ?? new Set();
    this.listeners.set(organization_id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.listeners.get(organization_id) === listeners) this.listeners.delete(organization_id);
    };
  }

  private run({ organization_id, ticket_id, user_id }: AtTicket, state: string, visit: string) {
    const ticket = `${this.prefix}:${organization_id}:${ticket_id}`;
    const details = [user_id, visit, state, organization_id, ticket_id, this.prefix];
    const bounds = [this.times.markMs, this.times.publishMs, maxMarksPerTicket, maxMarksPerUser];
    return this.redis.markPresence(ticket, `${ticket}:${user_id}`, ...details, ...bounds);
  }

  /**
   * Another replica may have published in the meantime; the script always publishes the current state, so retrying until we get the slot is
   * safe. The slot may also still be our own, by a millisecond of clock difference.
   */
  private publishLater(who: AtTicket): void {
    const key = `${who.organization_id} ${who.ticket_id} ${who.user_id}`;
    if (this.waiting.has(key) || this.waiting.size >= maxWaiting) return;
    const publish = () => {
      this.waiting.delete(key);
      void this.run(who, '', '').then(
        ([, isLate]) => isLate && this.publishLater(who),
        () => undefined,
      );
    };
    this.waiting.set(key, setTimeout(publish, this.times.publishMs));
  }

  private onMessage({ organization_id, ticket_id, people }: PresenceMessage): void {
    for (const listener of this.listeners.get(organization_id) ?? []) listener({ ticket_id, people });
  }

  onApplicationShutdown(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.redis.disconnect();
    this.subscriber.disconnect();
  }
}
