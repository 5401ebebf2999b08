/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs inside the page: does what a person does and says how long it took until it was painted. */
export interface Probe {
  /** Opens so many tickets that were not opened before; milliseconds from each click to the painted ticket. */
  openSome(count: number): Promise<number[]>;
  /** Those that were opened last, once more. */
  openAgain(count: number): Promise<number[]>;
  closeTicket(): Promise<void>;
  /** Each of these filters in turn, so often. */
  changeFilters(filters: string[], times: number): Promise<number[]>;
  /** Scrolls down until so many rows are loaded, or no more come; how many there are. */
  load(count: number): Promise<number>;
  /** Scrolls up and down for so long; the length of every frame. */
  scroll(forMs: number): Promise<number[]>;
}

/** Handed to the browser as text: everything it needs stands inside. */
export function installProbe(): void {
  const opened: string[] = [];
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  /** The frame after the one in which it stands in the document: that one has been painted. */
  const painted = async (isThere: () => boolean, what: string) => {
    for (const deadline = performance.now() + 15_000; !isThere(); await frame())
      if (performance.now() > deadline) throw new Error(`${what} did not come within 15 s`);
    await frame();
    await new Promise((resolve) => setTimeout(resolve));
  };
  const box = () => document.querySelector<HTMLElement>('[aria-label="Ticket list"] [data-scrolls]')!;
  const links = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Ticket list"] [data-ticket]')];
  const shownId = () => /\/tickets\/([0-9a-f-]{36})/.exec(location.pathname)?.[1];

  const open = async (link: HTMLElement): Promise<number> => {
    const id = link.dataset.ticket!;
    const subject = link.textContent;
    const begun = performance.now();
    link.click();
    // The subject stands in the ticket's own heading, outside the list.
    const stands = () =>
      shownId() === id &&
      [...document.querySelectorAll('h1, h2')].some(
        (heading) => !heading.closest('[aria-label="Ticket list"]') && heading.textContent !== '' && subject.includes(heading.textContent),
      );
    await painted(stands, `ticket ${id}`);
    return performance.now() - begun;
  };
  const next = async (): Promise<HTMLElement> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const link = links().find((each) => !opened.includes(each.dataset.ticket!));
      if (link) return link;
      box().scrollTop += box().clientHeight / 2;
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('there are no more tickets in the list');
  };
  const again = async (id: string): Promise<HTMLElement> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const link = links().find((each) => each.dataset.ticket === id);
      if (link) return link;
      box().scrollTop -= box().clientHeight / 2;
      await frame();
    }
    throw new Error(`ticket ${id} is no longer in the list`);
  };

  const probe: Probe = {
    async openSome(count) {
      const took: number[] = [];
      while (took.length < count) {
        const link = await next();
        opened.push(link.dataset.ticket!);
        took.push(await open(link));
      }
      return took;
    },
    async openAgain(count) {
      const took: number[] = [];
      // Not the one that is open: backwards from the one before it.
      for (const id of opened.slice(-count - 1, -1).reverse()) took.push(await open(await again(id)));
      return took;
    },
    async closeTicket() {
      history.pushState({}, '', '/tickets');
      dispatchEvent(new PopStateEvent('popstate', { state: {} }));
      await painted(() => links().length > 0, 'the list');
      box().scrollTop = 0;
    },
    async changeFilters(filters, times) {
      const took: number[] = [];
      for (let i = 0; i < filters.length * times; i += 1) {
        const before = links()[0]?.dataset.ticket;
        const begun = performance.now();
        history.pushState({}, '', `/tickets?${filters[i % filters.length]}`);
        dispatchEvent(new PopStateEvent('popstate', { state: {} }));
        await painted(
          () => links().length > 0 && (links()[0]!.dataset.ticket !== before || performance.now() - begun > 2_000),
          'a filtered list',
        );
        // The same first ticket before and after says nothing.
        const ms = performance.now() - begun;
        if (ms < 2_000) took.push(ms);
      }
      return took;
    },
    async load(count) {
      /** The place of the lowest row that is drawn: with the end in sight, how many there are. */
      const lowest = () =>
        Math.max(0, ...[...document.querySelectorAll('[aria-posinset]')].map((row) => Number(row.getAttribute('aria-posinset'))));
      let [last, since] = [0, performance.now()];
      while (last < count && performance.now() - since < 5_000) {
        if (lowest() > last) [last, since] = [lowest(), performance.now()];
        // Up and down, as a hand does: the end of the list must come into sight anew to be noticed.
        box().scrollTop = box().scrollHeight - 6_000;
        await frame();
        box().scrollTop = box().scrollHeight;
        await frame();
      }
      return last;
    },
    async scroll(forMs) {
      const frames: number[] = [];
      box().scrollTop = 0;
      await frame();
      let [last, step] = [await frame(), 300];
      for (const begun = last; last - begun < forMs;) {
        if (box().scrollTop + box().clientHeight >= box().scrollHeight - 1) step = -300;
        else if (box().scrollTop <= 0) step = 300;
        box().scrollTop += step;
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      return frames;
    },
  };
  Object.assign(globalThis, { probe });
}
