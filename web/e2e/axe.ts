import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * `part` is the selector of an overlay to check alone; the page below it is hidden from all users while it is open. Legacy mode does not
 * check frames of other origins, which these pages do not have, and so needs no second page.
 */
export async function expectNoViolations(page: Page, name: string, part?: string) {
  // Half-faded content has half its contrast, so reduce motion to show it at full contrast immediately, and wait for late animations.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let still = 0; still < 5; still += 1) {
      await frame();
      // Endless animations are always visible, so they need not finish.
      const passing = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity);
      if (passing.length > 0) still = 0;
      await Promise.allSettled(passing.map(({ finished }) => finished));
    }
  });
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await (part ? axe.include(part).disableRules(['region', 'page-has-heading-one']) : axe).analyze();
  expect(page.frames()).toHaveLength(1);
  expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, name: string) {
  // Repeated, because after a change of the window's size components measure themselves and render again.
  const beyond = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.documentElement.scrollWidth - window.innerWidth;
    });
  await expect.poll(beyond, { message: `${name} scrolls sideways by` }).toBeLessThanOrEqual(0);
}
