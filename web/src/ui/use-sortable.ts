import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent as ReactPointerEvent,
} from 'react';

interface Drag {
  id: string;
  from: number;
  to: number;
  /** How far the row has moved, in pixels. */
  by: number;
  /** The height of the row, by which the rows that it passes move. */
  height: number;
}
interface Box {
  top: number;
  bottom: number;
}

const middleOf = ({ top, bottom }: Box): number => (top + bottom) / 2;

/** The position of a row that has moved by `by`: it passes a row when its edge passes the middle of that row. */
export function positionOf(boxes: readonly Box[], from: number, by: number): number {
  const { top = 0, bottom = 0 } = boxes[from] ?? {};
  return boxes.filter((box, index) => index !== from && middleOf(box) < (index < from ? top + by : bottom + by)).length;
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_at, last) => last,
};

const edgePixels = 60;
const scrollPixels = 12;

/** The closest element that scrolls the list. */
function scrollerOf(element: Element): Element {
  for (let at = element.parentElement; at; at = at.parentElement) if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  return document.documentElement;
}

/** Follows the pointer until it is released. Returns the function that stops it. */
function followPointer(
  start: ReactPointerEvent,
  list: Element,
  onDrag: (by: number) => void,
  onEnd: (isDropped: boolean) => void,
): () => void {
  const scroller = scrollerOf(list);
  const scrollAtStart = scroller.scrollTop;
  const move = ({ clientY }: PointerEvent) => {
    const { top, bottom } = scroller.getBoundingClientRect();
    if (clientY > Math.min(bottom, innerHeight) - edgePixels) scroller.scrollTop += scrollPixels;
    if (clientY < Math.max(top, 0) + edgePixels) scroller.scrollTop -= scrollPixels;
    onDrag(clientY - start.clientY + scroller.scrollTop - scrollAtStart);
  };
  const drop = () => end(true);
  const cancel = () => end(false);
  const press = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && end(false);
  const listen = (change: 'addEventListener' | 'removeEventListener') => {
    window[change]('pointermove', move as EventListener);
    window[change]('pointerup', drop);
    window[change]('pointercancel', cancel);
    window[change]('keydown', press as EventListener);
  };
  const stop = () => listen('removeEventListener');
  const end = (isDropped: boolean) => {
    stop();
    onEnd(isDropped);
  };
  listen('addEventListener');
  return stop;
}

/**
 * A list whose rows are moved by dragging a handle, and by the arrow keys, Home and End on it. `onMove` gets the row and its new position.
 * Dragging moves the rows by transforms: the document changes only when the row is dropped.
 */
export function useSortable(ids: readonly string[], onMove: (id: string, to: number) => void) {
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  // React moves the row in the document, which takes the focus from its handle.
  const focused = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focused.current) list.current?.querySelector<HTMLElement>(`[data-handle="${focused.current}"]`)?.focus();
    focused.current = undefined;
  }, [ids]);

  const start = (id: string, event: ReactPointerEvent) => {
    const element = list.current;
    if (!element || event.button !== 0) return;
    event.preventDefault();
    const from = ids.indexOf(id);
    const boxes = [...element.children].map((row) => row.getBoundingClientRect());
    const height = boxes[from]?.height ?? 0;
    let to = from;
    const onDrag = (by: number) => {
      to = positionOf(boxes, from, by);
      setDrag({ id, from, to, by, height });
    };
    const onEnd = (isDropped: boolean) => {
      setDrag(undefined);
      if (isDropped && to !== from) onMove(id, to);
    };
    stop.current?.();
    stop.current = followPointer(event, element, onDrag, onEnd);
  };
  const press = (id: string, event: KeyboardEvent) => {
    const at = ids.indexOf(id);
    const to = steps[event.key]?.(at, ids.length - 1);
    if (to === undefined) return;
    event.preventDefault();
    if (to === at || to < 0 || to >= ids.length) return;
    focused.current = id;
    onMove(id, to);
  };
  const styleOf = (id: string): CSSProperties | undefined => {
    if (!drag) return undefined;
    const at = ids.indexOf(id);
    if (id === drag.id) return { transform: `translateY(${drag.by}px)`, zIndex: 1 };
    const shift = at > drag.from && at <= drag.to ? -drag.height : at < drag.from && at >= drag.to ? drag.height : 0;
    return { transform: `translateY(${shift}px)`, transition: 'transform 150ms' };
  };
  return {
    list,
    draggedId: drag?.id,
    styleOf,
    handleProps: (id: string) => ({
      'data-handle': id,
      onPointerDown: (event: ReactPointerEvent) => start(id, event),
      onKeyDown: (event: KeyboardEvent) => press(id, event),
    }),
  };
}
