import { connectRedis } from '@tandem/messaging';
import type { Logger } from '@tandem/platform';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { Redis, Result } from 'ioredis';
import type { GatewayConfig } from '../config';
import type { Presence } from './mark-presence';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    markPresence(ticket: string, slot: string, ...details: (string | number)[]): Result<[people: string, isLate: number], Context>;
  }
}

/** Browsers renew every 25 seconds: one renewal may be lost. A person's changes at one ticket are told at most once a second. */
const usual = { markMs: 45_000, tellMs: 1_000 };
/** So many marks does a ticket keep, and one person there; more than that is no team looking at a ticket. */
const marksPerTicket = 200;
const marksPerPerson = 10;
/** Changes that wait for their second, in this process; beyond it the next renewal brings them. */
const waitingAtMost = 10_000;

/**
 * One hash per ticket, a field per person and visit: `<until> <state>`. Writes a mark (or takes it away; without a state it only tells),
 * drops those whose time is over, and tells all replicas when what is to be seen has changed: unless this person's last change was told
 * less than a second ago, then it answers that somebody must tell it later.
 */
const markScript = `
local user, visit, state, organization, ticket, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
local life, pause, most, most_of_one = tonumber(ARGV[7]), tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local field = user .. ' ' .. visit
-- A person with several pages open is shown with what concerns the customer most.
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
elseif state ~= '' and (redis.call('HEXISTS', KEYS[1], field) == 1 or (own < most_of_one and all < most)) then
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

interface Told {
  organization_id: string;
  ticket_id: string;
  people: Presence[];
}
type Listener = (presence: Pick<Told, 'ticket_id' | 'people'>) => void;

/** Somebody at a ticket of an organization. Nobody can name another one's: each key begins with the caller's own. */
export interface AtTicket {
  organization_id: string;
  ticket_id: string;
  user_id: string;
}

/**
 * Who is at which ticket just now: in Redis, for all replicas, and forgotten there by itself. Nothing depends on it: without Redis nobody is
 * seen anywhere, and everything else goes on.
 */
export class PresenceBoard implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly redis: Redis;
  private readonly ear: Redis;
  private readonly prefix: string;
  private readonly listeners = new Map<string, Set<Listener>>();
  private readonly waiting = new Map<string, NodeJS.Timeout>();

  /** @param times the usual ones, unless a test cannot wait for so long */
  constructor(
    config: Pick<GatewayConfig, 'REDIS_URL' | 'REDIS_PREFIX'>,
    log: Logger,
    private readonly times = usual,
  ) {
    this.prefix = `${config.REDIS_PREFIX}:presence`;
    this.redis = connectRedis(config.REDIS_URL, log, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 1_000,
      scripts: { markPresence: { lua: markScript, numberOfKeys: 2 } },
    });
    // A connection that listens can do nothing else.
    this.ear = connectRedis(config.REDIS_URL, undefined, { autoResubscribe: false });
    this.ear.on('ready', () => void this.ear.subscribe(this.prefix).catch(() => undefined));
    this.ear.on('message', (_, message: string) => this.hear(JSON.parse(message) as Told));
  }

  /** What comes before the first connection is refused by `enableOfflineQueue`: it is worth a moment, and no more. */
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

  /** Everybody who is there afterwards, each once, writing before viewing; nobody where Redis cannot tell. */
  async mark(who: AtTicket, state: Presence['state'] | 'left', visit: string): Promise<Presence[]> {
    try {
      const [people, isLate] = await this.run(who, state, visit);
      if (isLate) this.tellLater(who);
      return JSON.parse(people) as Presence[];
    } catch {
      return [];
    }
  }

  /** `listener` hears of every change in the organization until the returned function is called. It must not throw or block. */
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
    const bounds = [this.times.markMs, this.times.tellMs, marksPerTicket, marksPerPerson];
    return this.redis.markPresence(ticket, `${ticket}:${user_id}`, ...details, ...bounds);
  }

  /**
   * Whoever has taken the slot by then has told what is to be told now: the people are always read as they are. Or it is the slot that we have
   * waited for, by a millisecond of the two clocks: so it is asked for until it is ours.
   */
  private tellLater(who: AtTicket): void {
    const key = `${who.organization_id} ${who.ticket_id} ${who.user_id}`;
    if (this.waiting.has(key) || this.waiting.size >= waitingAtMost) return;
    const tell = () => {
      this.waiting.delete(key);
      void this.run(who, '', '').then(
        ([, isLate]) => isLate && this.tellLater(who),
        () => undefined,
      );
    };
    this.waiting.set(key, setTimeout(tell, this.times.tellMs));
  }

  private hear({ organization_id, ticket_id, people }: Told): void {
    for (const listener of this.listeners.get(organization_id) ?? []) listener({ ticket_id, people });
  }

  onApplicationShutdown(): void {
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.redis.disconnect();
    this.ear.disconnect();
  }
}
