import { QRCodeSVG } from 'qrcode.react';

/** Dark on light in either theme: many cameras read nothing else. Loaded when it is shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <div className="w-fit overflow-hidden rounded-lg border bg-white">
      <QRCodeSVG value={text} size={192} marginSize={4} level="M" role="img" aria-label={label} />
    </div>
  );
}
