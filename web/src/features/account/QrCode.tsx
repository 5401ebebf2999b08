import { QRCodeSVG } from 'qrcode.react';

/** Dark on light in either theme: many cameras read nothing else. Loaded when it is shown. */
export function QrCode({ text, label }: { text: string; label: string }) {
  return (
    <div className="w-fit rounded-lg border bg-white p-3">
      <QRCodeSVG value={text} size={168} marginSize={0} level="M" role="img" aria-label={label} />
    </div>
  );
}
