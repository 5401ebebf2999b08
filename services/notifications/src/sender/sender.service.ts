import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  checkSenderDomain,
  deleteSenderDomain,
  readSenderDomain,
  rotateSenderKey,
  saveSenderDomain,
  senderDomainChanged,
  type Context,
  type DataOf,
  type InputOf,
  type SenderDomain,
  type TenantContext,
} from '@tandem/contracts';
import { bounceHostOf, senderDomainRules } from '@tandem/contracts/values';
import { Database } from '@tandem/db';
import { emit, Handles } from '@tandem/messaging';
import { classifyHost, EmailTokens, Secrets } from '@tandem/platform';
import type { NotificationsConfig } from '../config';
import type { NotificationsSchema } from '../schema';
import { LookupFailed, lookUpSender } from './sender-lookup';
import {
  acceptsBounces,
  bounceHostState,
  dkimKeyPurpose,
  dmarcPolicy,
  isBounceTargetPublished,
  isPublished,
  publishedName,
  recordName,
  recordState,
  selectors,
  type SenderLookup,
} from './sender-record';
import {
  activateNextKey,
  deleteSender,
  findSender,
  findSenderForUpdate,
  insertKey,
  insertSender,
  postponeCheck,
  replaceDomain,
  saveLocalPart,
  saveLookup,
  type NewKey,
  type Sender,
  type SenderTx,
} from './sender.store';

const newKeyPair = promisify(generateKeyPair);
const dayMs = 86_400_000;

const notFound = () => new AppError('sender_domain.not_found');
const announce = (tx: SenderTx, ctx: Context, what: DataOf<typeof senderDomainChanged>['what'], organization_id: string, domain: string) =>
  emit(tx, ctx, senderDomainChanged, organization_id, { what, domain });

/** The organization's own domain for emails to customers, and its signing keys. */
@Controller()
export class SenderService {
  constructor(
    private readonly db: Database<NotificationsSchema>,
    private readonly secrets: Secrets,
    private readonly tokens: EmailTokens,
    @Inject('CONFIG') private readonly config: NotificationsConfig,
  ) {}

  @Handles(readSenderDomain)
  async read(ctx: TenantContext): Promise<SenderDomain | null> {
    const sender = await this.db.readTenant(ctx, (tx) => findSender(tx, ctx.organization_id));
    return sender ? this.shown(sender) : null;
  }

  @Handles(saveSenderDomain)
  async save(ctx: TenantContext, { body }: InputOf<typeof saveSenderDomain>): Promise<SenderDomain> {
    const { organization_id } = ctx;
    this.assertOwnDomain(body.domain);
    // Generating a key takes up to a second: not while rows are locked.
    const known = await this.db.readTenant(ctx, (tx) => findSender(tx, organization_id));
    const key = known ? undefined : await this.newKey();
    return this.change(ctx, async (tx, before) => {
      if (before?.domain === body.domain) {
        if (before.local_part !== body.local_part) await saveLocalPart(tx, organization_id, body.local_part);
        else return;
      } else if (before) await replaceDomain(tx, organization_id, body);
      else await insertSender(tx, { organization_id, ...body }, key ?? (await this.newKey()));
      await announce(tx, ctx, 'saved', organization_id, body.domain);
    });
  }

  @Handles(checkSenderDomain)
  async checkNow(ctx: TenantContext): Promise<SenderDomain> {
    const asked = await this.db.readTenant(ctx, (tx) => findSender(tx, ctx.organization_id));
    if (!asked) throw notFound();
    const lookup = await this.lookUp(asked.domain);
    return this.change(ctx, (tx, sender) => this.applyIfCurrent(tx, ctx, sender, asked.domain, lookup));
  }

  @Handles(rotateSenderKey)
  async rotate(ctx: TenantContext): Promise<SenderDomain> {
    const key = await this.newKey();
    return this.change(ctx, async (tx, sender) => {
      if (!sender) throw notFound();
      const { organization_id, domain, keys } = sender;
      // A repeated request does not replace the key that the operator may already have published.
      if (keys.some(({ state }) => state === 'next')) return;
      const active = keys.find(({ state }) => state === 'active')!;
      const retired = keys.find(({ state }) => state === 'retired');
      if (retired && Date.now() - Date.parse(retired.retired_at!) < senderDomainRules.retiredKeyDays * dayMs)
        throw new AppError('sender_domain.key_too_new');
      await insertKey(tx, { organization_id, selector: active.selector === 1 ? 2 : 1, state: 'next', ...key });
      await announce(tx, ctx, 'key_generated', organization_id, domain);
    });
  }

  @Handles(deleteSenderDomain)
  async delete(ctx: TenantContext): Promise<Record<string, never>> {
    return this.db.forTenant(ctx, async (tx) => {
      const sender = await findSenderForUpdate(tx, ctx.organization_id);
      if (!sender) throw notFound();
      await deleteSender(tx, ctx.organization_id);
      await announce(tx, ctx, 'deleted', ctx.organization_id, sender.domain);
      return {};
    });
  }

  /** A regular check. If DNS does not answer, the domain remains unchanged. */
  async recheck(ctx: TenantContext): Promise<void> {
    const { organization_id } = ctx;
    const asked = await this.db.readTenant(ctx, (tx) => findSender(tx, organization_id));
    if (!asked) return;
    const lookup = await lookUpSender(asked.domain, this.config.DNS_SERVERS).catch((error: unknown) => {
      if (error instanceof LookupFailed) return undefined;
      throw error;
    });
    await this.db.forTenant(ctx, async (tx) => {
      const sender = await findSenderForUpdate(tx, organization_id);
      if (!sender) return;
      if (lookup) await this.applyIfCurrent(tx, ctx, sender, asked.domain, lookup);
      else await postponeCheck(tx, organization_id, senderDomainRules.pendingCheckHours);
    });
  }

  private async change(ctx: TenantContext, work: (tx: SenderTx, sender: Sender | undefined) => Promise<void>): Promise<SenderDomain> {
    return this.db.forTenant(ctx, async (tx) => {
      await work(tx, await findSenderForUpdate(tx, ctx.organization_id));
      return this.shown((await findSender(tx, ctx.organization_id))!);
    });
  }

  private async lookUp(domain: string): Promise<SenderLookup> {
    try {
      return await lookUpSender(domain, this.config.DNS_SERVERS);
    } catch (error) {
      if (error instanceof LookupFailed) throw new AppError('sender_domain.not_checked', { cause: error });
      throw error;
    }
  }

  /** The lookup ran without a lock, so the domain may have been replaced in the meantime: then its result is dropped. */
  private async applyIfCurrent(
    tx: SenderTx,
    ctx: Context,
    sender: Sender | undefined,
    domain: string,
    lookup: SenderLookup,
  ): Promise<void> {
    if (!sender) throw notFound();
    if (sender.domain !== domain) return;
    const { organization_id } = sender;
    const next = sender.keys.find(({ state }) => state === 'next');
    const isNextPublished = next !== undefined && isPublished(lookup.records[next.selector], next.public_key);
    if (isNextPublished) await activateNextKey(tx, organization_id);
    const active = isNextPublished ? next : sender.keys.find(({ state }) => state === 'active')!;
    const isVerified = isPublished(lookup.records[active.selector], active.public_key);
    const hasBounceHost = acceptsBounces(lookup.bounces, this.bounceTarget(organization_id));
    const isWaiting = !isVerified || !hasBounceHost || (next !== undefined && !isNextPublished);
    const { checkHours, pendingCheckHours } = senderDomainRules;
    const waitsSince = next && !isNextPublished ? next.created_at : sender.created_at;
    const isRecent = Date.now() - Date.parse(waitsSince) < senderDomainRules.pendingDays * dayMs;
    const nextCheckHours = isWaiting && isRecent ? pendingCheckHours : checkHours;
    await saveLookup(tx, organization_id, { lookup, isVerified, hasBounceHost, nextCheckHours });
    if (isVerified !== (sender.verified_at !== null)) await announce(tx, ctx, isVerified ? 'verified' : 'lapsed', organization_id, domain);
    if (hasBounceHost !== (sender.bounces_verified_at !== null))
      await announce(tx, ctx, hasBounceHost ? 'bounces_verified' : 'bounces_lapsed', organization_id, domain);
  }

  /** The address of the organization that never changes. A server that replaces the alias by its target delivers to it directly. */
  private bounceTarget(organization_id: string): string {
    return this.tokens.hostOf({ organization_id, subdomain: null });
  }

  /** Our own domains cannot be verified; a clear error is better than records that never work. */
  private assertOwnDomain(domain: string): void {
    const { MAIL_DOMAIN } = this.config;
    const isOurs = domain === MAIL_DOMAIN || domain.endsWith(`.${MAIL_DOMAIN}`);
    if (!isOurs && classifyHost(domain, this.config).kind === 'custom') return;
    const message = 'Use your own domain';
    throw new AppError('request.invalid', { detail: message, fields: [{ path: 'domain', code: 'custom', message }] });
  }

  private async newKey(): Promise<NewKey> {
    const { publicKey, privateKey } = await newKeyPair('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return { public_key: publicKey.toString('base64'), sealed_private_key: this.secrets.seal(dkimKeyPurpose, privateKey) };
  }

  private shownBounces({ organization_id, domain, lookup, bounces_verified_at }: Sender): SenderDomain['bounces'] {
    const value = this.bounceTarget(organization_id);
    const found = lookup?.bounces;
    const state = found ? bounceHostState(found, value) : null;
    const others = found?.cname.length ? found.cname : [...(found?.mail_servers ?? []), ...(found?.spf ?? [])];
    return {
      record: { name: bounceHostOf(domain), value, state, found: state === 'wrong' ? others : [] },
      is_verified: bounces_verified_at !== null,
      is_published: found !== undefined && isBounceTargetPublished(found),
    };
  }

  private shown(sender: Sender): SenderDomain {
    const { organization_id, domain, local_part, lookup, checked_at, verified_at, keys } = sender;
    const active = keys.find(({ state }) => state === 'active')!;
    const records = selectors.map((selector) => {
      const value = publishedName(organization_id, this.config.MAIL_DOMAIN, selector);
      const found = lookup?.records[selector];
      const key = keys.find((each) => each.selector === selector)?.public_key;
      const state = found ? recordState(found, value, key) : null;
      return {
        name: recordName(domain, selector),
        value,
        state,
        found: state === 'wrong' ? [...found!.cname, ...found!.text] : [],
        is_in_use: selector === active.selector,
      };
    });
    const dmarc = lookup?.dmarc ?? null;
    return {
      domain,
      address: `${local_part}@${domain}`,
      is_verified: verified_at !== null,
      is_key_published: lookup !== null && isPublished(lookup.records[active.selector], active.public_key),
      records,
      bounces: this.shownBounces(sender),
      dmarc: { name: `_dmarc.${domain}`, record: dmarc, policy: dmarcPolicy(dmarc) },
      key_created_at: active.created_at,
      is_rotating: keys.some(({ state }) => state === 'next'),
      checked_at,
      verified_at,
    };
  }
}
