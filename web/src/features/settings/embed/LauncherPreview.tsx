import { widgetDefaults } from '@tandem/contracts/values';
import { useEffect, useRef } from 'react';
import { t } from '../../../lib/staff-texts';
import type { SnippetOptions } from '../../../lib/widget-snippet';
import { launcherStyle, createLauncher } from '../../../widget/launcher';

interface LauncherPreviewProps {
  options: SnippetOptions & { primary: string; secondary: string };
}

/** Launcher preview, rendered by the loader's own code in the corner of an empty page. */
export function LauncherPreview({ options }: LauncherPreviewProps) {
  const place = useRef<HTMLDivElement>(null);
  const { primary, secondary, position = widgetDefaults.position, triggerText } = options;
  useEffect(() => {
    const host = place.current;
    if (!host) return;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const { button } = createLauncher(triggerText?.trim() || widgetDefaults.trigger_text);
    // Preview only.
    button.disabled = true;
    const sheet = document.createElement('style');
    sheet.textContent = launcherStyle({ primary, secondary, position }, 'absolute');
    root.replaceChildren(sheet, button);
  }, [primary, secondary, position, triggerText]);
  return (
    <figure className="relative min-h-56 overflow-hidden rounded-lg border bg-canvas">
      <figcaption className="sr-only">{t('settings.embed.launcher_preview')}</figcaption>
      <div aria-hidden className="flex flex-col gap-2 p-6 pt-14">
        <span className="h-3 w-1/2 rounded-sm bg-hover" />
        <span className="h-2 w-full rounded-sm bg-hover" />
        <span className="h-2 w-5/6 rounded-sm bg-hover" />
        <span className="h-2 w-2/3 rounded-sm bg-hover" />
      </div>
      <div ref={place} />
    </figure>
  );
}
