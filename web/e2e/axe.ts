import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** `part` is the selector of an overlay to check alone; the page below it is hidden from all users while it is open. */
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
  expect(page.frames()).toHaveLength(1);
  // Compiled once per document, which is checked in two color schemes.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(part && { rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } } }),
  };
  const violations = await page.evaluate(
    async ([selector, withOptions]) => {
      const found = await (window as unknown as { axe: typeof axe }).axe.run(selector, withOptions);
      return found.violations.map(({ id, nodes }) => `${id} ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
    },
    [part ?? 'html', options] as const,
  );
  expect(violations.map((violation) => `${name}: ${violation}`)).toEqual([]);
}

export async function expectNoSidewaysScroll(page: Page, name: string) {
  // Repeated, because components measure themselves and render again after the window is resized.
  const beyond = () =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      return document.documentElement.scrollWidth - window.innerWidth;
    });
  await expect.poll(beyond, { message: `${name} scrolls sideways by` }).toBeLessThanOrEqual(0);
}
