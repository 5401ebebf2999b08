/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
/** Runs inside the page: performs a user's actions and measures the time until the result is painted. */
export interface Probe {
  /** Opens `count` tickets for the first time; returns the milliseconds from each click to the painted ticket. */
  openSome(count: number): Promise<number[]>;
  /** Opens the most recently opened tickets again. */
  openAgain(count: number): Promise<number[]>;
  closeTicket(): Promise<void>;
  /** Applies each of these filters in turn, `times` times. */
  changeFilters(filters: string[], times: number): Promise<number[]>;
  /** Scrolls down until `count` rows are loaded, or there are no more; returns their number. */
  load(count: number): Promise<number>;
  /** Scrolls up and down for this time; returns the duration of every frame. */
  scroll(forMs: number): Promise<number[]>;
  /** Collects the duration of every frame until `stopFrames`, and the ids of the tickets that the address has shown. */
  watchFrames(): void;
  stopFrames(): { frames: number[]; passed: string[] };
}

/** Sent to the browser as text, so it must not refer to anything outside. */
export function installProbe(): void {
  const opened: string[] = [];
  const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
  /** Waits until the element is in the document, and for the task after that frame, which has been painted by then. */
  const painted = async (isThere: () => boolean, what: string) => {
    const deadline = performance.now() + 15_000;
    do {
      if (performance.now() > deadline) throw new Error(`${what} did not appear within 15 s`);
      await frame();
    } while (!isThere());
    await new Promise((resolve) => setTimeout(resolve));
  };
  const box = () => document.querySelector<HTMLElement>('[aria-label="Ticket list"] [data-scrolls]')!;
  const links = () => [...document.querySelectorAll<HTMLElement>('[aria-label="Ticket list"] [data-ticket]')];
  const shownId = () => /\/tickets\/([0-9a-f-]{36})/.exec(location.pathname)?.[1];

  /**
   * A user does not click at the moment a ticket is painted: its panel and its composer are drawn, and it is marked as read, right after that.
   * The link is looked up afterwards, because rows may be drawn again in the meantime.
   */
  const rest = () => new Promise((resolve) => setTimeout(resolve, 250));
  const open = async (link: HTMLElement): Promise<number> => {
    const id = link.dataset.ticket!;
    const subject = link.textContent;
    const begun = performance.now();
    // With `detail`, as from a mouse: without, it would be the keyboard's.
    link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
    // The subject is in the ticket's own heading, outside the list, and its messages are below it.
    const stands = () =>
      shownId() === id &&
      [...document.querySelectorAll('article h1, article h2')].some(
        (heading) =>
          heading.textContent !== '' &&
          subject.includes(heading.textContent) &&
          heading.closest('article')!.querySelector('article') !== null,
      );
    await painted(stands, `ticket ${id}`);
    return performance.now() - begun;
  };
  /** A user clicks rows that are visible. Opening another one would also scroll the list. */
  const isVisible = (link: HTMLElement) => {
    const [row, all] = [link.getBoundingClientRect(), box().getBoundingClientRect()];
    return row.top >= all.top + 56 && row.bottom <= all.bottom - 56;
  };
  const next = async (): Promise<HTMLElement> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const link = links().find((each) => !opened.includes(each.dataset.ticket!) && isVisible(each));
      if (link) return link;
      box().scrollTop += box().clientHeight / 2;
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('there are no more tickets in the list');
  };
  const again = async (id: string): Promise<HTMLElement> => {
    for (let tries = 0; tries < 200; tries += 1) {
      const link = links().find((each) => each.dataset.ticket === id && isVisible(each));
      if (link) return link;
      box().scrollTop -= box().clientHeight / 2;
      await frame();
    }
    throw new Error(`ticket ${id} is no longer in the list`);
  };

  let watched = { frames: [] as number[], passed: new Set<string>(), isOn: false };

  const probe: Probe = {
    async openSome(count) {
      const took: number[] = [];
      while (took.length < count) {
        await rest();
        const link = await next();
        opened.push(link.dataset.ticket!);
        took.push(await open(link));
      }
      return took;
    },
    async openAgain(count) {
      const took: number[] = [];
      // Starts with the ticket before the open one.
      for (const id of opened.slice(-count - 1, -1).reverse()) {
        await rest();
        took.push(await open(await again(id)));
      }
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
        // If the first ticket is the same before and after, the change cannot be detected: do not count the time-out.
        const ms = performance.now() - begun;
        if (ms < 2_000) took.push(ms);
      }
      return took;
    },
    async load(count) {
      /** The position of the last rendered row: at the end of the list, the number of rows. */
      const lowest = () =>
        Math.max(0, ...[...document.querySelectorAll('[aria-posinset]')].map((row) => Number(row.getAttribute('aria-posinset'))));
      let [last, since] = [0, performance.now()];
      while (last < count && performance.now() - since < 5_000) {
        if (lowest() > last) [last, since] = [lowest(), performance.now()];
        // Scrolls up and down: the end of the list loads more rows only when it becomes visible again.
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
    watchFrames() {
      const current: typeof watched = { frames: [], passed: new Set(), isOn: true };
      watched = current;
      let last: number | undefined;
      const each = (now: number) => {
        if (!current.isOn) return;
        if (last !== undefined) current.frames.push(now - last);
        last = now;
        const id = shownId();
        if (id) current.passed.add(id);
        requestAnimationFrame(each);
      };
      requestAnimationFrame(each);
    },
    stopFrames() {
      watched.isOn = false;
      return { frames: watched.frames, passed: [...watched.passed] };
    },
  };
  Object.assign(globalThis, { probe });
}
