import { applyCheckResult, releaseTime, type ProofState } from './domain-proof';

const start = Date.parse('2026-11-01T10:00:00.000Z');
const onDay = (days: number) => new Date(start + days * 86_400_000);
const iso = (days: number) => onDay(days).toISOString();
const state = (missing: number | null, lapsed: number | null = null): ProofState => ({
  custom_domain_missing_since: missing === null ? null : iso(missing),
  custom_domain_lapsed_at: lapsed === null ? null : iso(lapsed),
});

describe('the daily check of a custom domain', () => {
  it.each([
    ['found', state(null), true, 5, 'none', state(null)],
    ['missing for the first time', state(null), false, 5, 'missing', state(5)],
    ['still missing, just before three days', state(0), false, 2.99, 'none', state(0)],
    ['missing for three days', state(0), false, 3, 'lapsed', state(0, 3)],
    ['lapsed, just before 30 days', state(0, 3), false, 29.99, 'none', state(0, 3)],
    ['missing for 30 days', state(0, 3), false, 30, 'released', state(null)],
    ['missing for 30 days, but never warned of', state(0), false, 40, 'lapsed', state(0, 40)],
    ['found again before the links changed', state(0), true, 2, 'found_again', state(null)],
    ['found again after they did', state(0, 3), true, 20, 'restored', state(null)],
  ])('%s', (_what, before, isFound, day, change, after) =>
    expect(applyCheckResult(before, isFound, onDay(day))).toEqual({ state: after, change }),
  );
  it('releases the domain after 30 days', () => expect(releaseTime(iso(0))).toBe(iso(30)));
});
