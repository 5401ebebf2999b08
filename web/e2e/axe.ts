import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * `part`: where something lies over the page, that alone; what is below is hidden from everybody meanwhile. Legacy mode looks into no frame of
 * another origin, of which these pages have none, and needs no second page for that.
 */
export async function expectNoViolations(page: Page, name: string, part?: string) {
  // What is half faded in has half its contrast: whoever wants no motion sees it whole at once. What begins to show late is waited for as well.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let still = 0; still < 5; still += 1) {
      await frame();
      // What moves without end is to be seen all the time.
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
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(beyond, `${name} scrolls sideways by`).toBeLessThanOrEqual(0);
}
