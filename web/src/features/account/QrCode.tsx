import { QRCodeSVG } from 'qrcode.react';

/** Dark on light in both themes, because many cameras cannot read inverted codes. Loaded on demand. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <div className="w-fit overflow-hidden rounded-lg border bg-white">
      <QRCodeSVG value={text} size={192} marginSize={4} level="M" role="img" aria-label={label} />
    </div>
  );
}
