import { brandingDefaults, widgetDefaults, type WidgetPosition, type WidgetTheme } from '@tandem/contracts/values';

/** Options of the snippet; omitted ones and defaults are not printed. */
export interface SnippetOptions {
  organization: string;
  /** Overrides the theme of the widget settings on this site. */
  theme?: WidgetTheme;
  primary?: string;
  secondary?: string;
  position?: WidgetPosition;
  triggerText?: string;
  placeholderSubject?: string;
  placeholderMessage?: string;
}

/** Address of the loader: always on the product's host, wherever this page was opened. */
export const widgetAddress = (origin: string): string => `${origin}/widget/v1/widget.js`;

const inAttribute = (text: string) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace(/</g, '&lt;');

/** Attribute names and values in the order of the documentation. */
export function attributesOf(options: SnippetOptions): [name: string, value: string][] {
  const attributes: [string, string | undefined][] = [
    ['data-organization', options.organization],
    ['data-theme', options.theme],
    ['data-color-primary', options.primary],
    ['data-color-secondary', options.secondary],
    ['data-position', options.position ?? widgetDefaults.position],
    ['data-trigger-text', options.triggerText?.trim() || widgetDefaults.trigger_text],
    ['data-placeholder-subject', options.placeholderSubject],
    ['data-placeholder-message', options.placeholderMessage],
  ];
  return attributes.filter((each): each is [string, string] => Boolean(each[1]));
}

export function scriptTag(origin: string, attributes: [name: string, value: string][]): string {
  const lines = attributes.map(([name, value]) => `  ${name}="${inAttribute(value)}"`);
  return `<script async src="${widgetAddress(origin)}"\n${lines.join('\n')}></script>`;
}

export const basicSnippet = (origin: string, organization: string): string => scriptTag(origin, [['data-organization', organization]]);
export const fullSnippet = (origin: string, options: SnippetOptions): string => scriptTag(origin, attributesOf(options));

/** A snippet with every option, with sample values. */
export const customizedSnippet = (origin: string, organization: string): string =>
  fullSnippet(origin, {
    organization,
    theme: widgetDefaults.theme,
    primary: brandingDefaults.primary_color,
    secondary: brandingDefaults.secondary_color,
    triggerText: 'Need help?',
    placeholderSubject: 'What is it about?',
    placeholderMessage: 'Tell us what happened',
  });

/** A snippet that sets a custom field. */
export const customFieldSnippet = (origin: string, organization: string): string =>
  scriptTag(origin, [
    ['data-organization', organization],
    ['data-field-order-number', '48213'],
  ]);

/** React snippet. The loader finds its own tag and can be inserted twice, because a component may be mounted again. */
export const reactSnippet = (origin: string, organization: string): string => `import { useEffect } from 'react';

export function SupportWidget() {
  useEffect(() => {
    if (document.querySelector('script[data-organization]')) return;
    const script = document.createElement('script');
    script.src = '${widgetAddress(origin)}';
    script.async = true;
    script.dataset.organization = '${organization}';
    script.dataset.position = 'bottom-right';
    document.body.append(script);
  }, []);
  return null;
}`;

/** Calls made before the loader has run are queued. */
export const queueSnippet = `<script>
  window.Tandem = window.Tandem || function () { (Tandem.q = Tandem.q || []).push(arguments); };
  Tandem('prefill', { subject: 'Order 48213', name: 'Jonas Weber' });
  Tandem('on', 'submit', (ticket) => console.log(ticket.ticket_number));
</script>`;
export const identifySnippet = `Tandem('identify', { token });`;

/** The directives that a site with a strict Content-Security-Policy must add. */
export const policyLine = (origin: string): string => `script-src ${origin}; frame-src ${origin}`;

/** How a site's server signs a visitor's token: HS256 with the organization's secret, valid for at most one hour. */
export const tokenSamples: { value: string; label: string; code: string }[] = [
  {
    value: 'node',
    label: 'Node.js',
    code: `import { createHmac } from 'node:crypto';

const base64url = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

export function visitorToken(user) {
  const header = base64url({ alg: 'HS256', typ: 'JWT' });
  const payload = base64url({
    email: user.email,
    name: user.name,
    exp: Math.floor(Date.now() / 1000) + 600,
  });
  const signature = createHmac('sha256', process.env.TANDEM_WIDGET_SECRET)
    .update(\`\${header}.\${payload}\`)
    .digest('base64url');
  return \`\${header}.\${payload}.\${signature}\`;
}`,
  },
  {
    value: 'php',
    label: 'PHP',
    code: `function base64url(string $bytes): string {
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}

function visitor_token(string $email, string $name): string {
    $header = base64url(json_encode(['alg' => 'HS256', 'typ' => 'JWT']));
    $payload = base64url(json_encode([
        'email' => $email,
        'name' => $name,
        'exp' => time() + 600,
    ]));
    $secret = getenv('TANDEM_WIDGET_SECRET');
    $signature = hash_hmac('sha256', "$header.$payload", $secret, true);
    return "$header.$payload." . base64url($signature);
}`,
  },
  {
    value: 'python',
    label: 'Python',
    code: `import base64, hashlib, hmac, json, os, time

def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

def visitor_token(email: str, name: str) -> str:
    header = base64url(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    payload = base64url(json.dumps({
        "email": email,
        "name": name,
        "exp": int(time.time()) + 600,
    }).encode())
    secret = os.environ["TANDEM_WIDGET_SECRET"].encode()
    signature = hmac.new(secret, f"{header}.{payload}".encode(), hashlib.sha256).digest()
    return f"{header}.{payload}.{base64url(signature)}"`,
  },
];
