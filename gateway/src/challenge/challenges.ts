import { hkdfSync } from 'node:crypto';
import type { OutputOf, readChallenge } from '@tandem/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { createChallenge, extractParams, verifySolution } from 'altcha-lib/v1';
import * as z from 'zod';
import type { GatewayConfig } from '../config';
import { RedisLimitStorage } from '../limits/redis-limit-storage';

/**
 * Solving takes half of this many hashes on average: about 0.3 s on a desktop with @noble/hashes, and six to ten times as long on a slow
 * phone (docs/decisions/0026-proof-of-work-under-abuse.md).
 */
export const maxNumber = 300_000;
const lifeMs = 10 * 60_000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const Proof = z.strictObject({
  algorithm: z.literal('SHA-256'),
  challenge: hash,
  number: z.int().min(0).max(maxNumber),
  salt: z.string().max(200),
  signature: hash,
});
/** Part of the signed salt. */
const Terms = z.object({ max: z.coerce.number().min(maxNumber), expires: z.coerce.number().int() });

/** Proof-of-work challenges, issued and verified here without a third party. */
@Injectable()
export class Challenges {
  /** The current secret's key comes first. */
  private readonly keys: string[];

  constructor(
    @Inject('CONFIG') config: Pick<GatewayConfig, 'SESSION_SECRET'>,
    private readonly storage: RedisLimitStorage,
  ) {
    this.keys = config.SESSION_SECRET.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'tandem', 'challenge', 32)).toString('hex'));
  }

  /** @param range smaller in tests */
  async create(lives = lifeMs, range = maxNumber): Promise<OutputOf<typeof readChallenge>> {
    const { salt, challenge, signature } = await createChallenge({
      algorithm: 'SHA-256',
      hmacKey: this.keys[0]!,
      maxnumber: range,
      expires: new Date(Date.now() + lives),
      params: { max: String(range) },
    });
    return { algorithm: 'SHA-256', challenge, maxnumber: range, salt, signature };
  }

  /** Whether the header solves an unexpired challenge of this installation that has not been used before; marks the challenge as used. */
  async accept(header: string): Promise<boolean> {
    const proof = readProof(header);
    if (proof === undefined) return false;
    const terms = Terms.safeParse(extractParams(proof));
    if (!terms.success) return false;
    for (const key of this.keys) {
      if (await verifySolution(proof, key)) return this.storage.isFirst(`proof:${proof.challenge}`, lifeMs + 60_000);
    }
    return false;
  }
}

function readProof(header: string): z.output<typeof Proof> | undefined {
  if (header.length > 1_000) return undefined;
  try {
    return Proof.safeParse(JSON.parse(Buffer.from(header, 'base64').toString('utf8'))).data;
  } catch {
    return undefined; // Not JSON: treated like a missing proof.
  }
}
