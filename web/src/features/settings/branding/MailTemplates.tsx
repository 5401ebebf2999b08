import { brandingRules } from '@tandem/contracts/values';
import { Field } from '../../../ui/Field';
import { Textarea } from '../../../ui/Input';
import type { PartProps } from './branding-draft';

/** The template cannot run scripts, load external code or access this page: the frame is sandboxed, and its CSP enforces it again. */
const previewOf = (header: string, footer: string): string =>
  `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'">` +
  `<body style="margin:16px;font:14px/1.5 system-ui,sans-serif;color:#111827;background:#ffffff">` +
  `${header}<p>Hello Maria,</p><p>Thank you for your message. Here is what we found.</p>${footer}`;

const fields = [
  { label: 'Email header', name: 'email_template_header' },
  { label: 'Email footer', name: 'email_template_footer' },
] as const;

/** HTML above and below the text of every email, next to a preview. */
export function MailTemplates({ draft, set, errorOf }: PartProps) {
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-5">
        {fields.map(({ label, name }) => (
          <Field
            key={name}
            label={label}
            optional
            error={errorOf(name)}
            hint="Basic HTML is allowed. Scripts, forms and styles are removed."
          >
            {(control) => (
              <Textarea
                {...control}
                className="font-mono"
                spellCheck={false}
                maxLength={brandingRules.maxTemplate}
                value={draft[name]}
                onChange={(event) => set({ [name]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        <p className="font-medium">Preview</p>
        <iframe
          title="Email preview"
          sandbox=""
          srcDoc={previewOf(draft.email_template_header, draft.email_template_footer)}
          className="min-h-72 w-full flex-1 rounded-md border bg-white"
        />
        <p className="text-xs text-muted">External images appear in emails but not in this preview.</p>
      </div>
    </div>
  );
}
