/** A fill that differs from a solid one without color. Its stripes are horizontal, so that even a bar of three pixels shows them. */
export function Stripes({ id }: { id: string }) {
  return (
    <pattern id={id} width={4} height={4} patternUnits="userSpaceOnUse">
      <rect width={4} height={4} fill="var(--surface)" />
      <rect width={4} height={2} fill="var(--muted)" />
    </pattern>
  );
}
