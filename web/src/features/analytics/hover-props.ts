/** What keeps a popup open while a mouse is on it or on its button. */
export interface HoverProps {
  onPointerEnter: (event: { pointerType: string }) => void;
  onPointerLeave: () => void;
}
