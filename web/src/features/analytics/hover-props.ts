/** Props that keep a popup open while the mouse is over it or over its button. */
export interface HoverProps {
  onPointerEnter: (event: { pointerType: string }) => void;
  onPointerLeave: () => void;
}
