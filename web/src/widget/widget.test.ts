import { launcherStyle, createLauncher, panelStyle } from './launcher';
import { readParameters } from './frame/parameters';
import { readMessage, type FromFrame } from './messages';
import { frameAddress, readOptions } from './options';

const dataOf = (attributes: Record<string, string>): DOMStringMap => {
  const script = document.createElement('script');
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(`data-${name}`, value);
  return script.dataset;
};

describe('the attributes of the script tag', () => {
  it('are read as documented', () => {
    const options = readOptions(
      dataOf({
        organization: ' acme ',
        theme: 'Dark',
        'color-primary': '#ff0000',
        'color-secondary': '#00FF00',
        position: 'top-left',
        'trigger-text': 'Need help?',
        'placeholder-subject': 'Order number',
        'placeholder-message': 'Tell us',
        'api-key': 'pk_1',
        lang: ' pt-BR ',
      }),
    );
    expect(options).toEqual({
      organization: 'acme',
      theme: 'dark',
      primary: '#ff0000',
      secondary: '#00FF00',
      position: 'top-left',
      triggerText: 'Need help?',
      placeholderSubject: 'Order number',
      placeholderMessage: 'Tell us',
      lang: 'pt-BR',
      customFields: {},
    });
  });

  it('set custom fields, with dashes for the underscores of a key', () => {
    const attributes = {
      organization: 'acme',
      'field-order-number': 'A&17',
      'field-empty': '',
      'field-line-2': 'x',
      'field-a-b-test2-group': 'y',
      'field-snake_case': 'z',
      field: 'no key',
      fieldset: 'another attribute',
    };
    const options = readOptions(dataOf(attributes))!;
    const { search, hash } = new URL(frameAddress('https://desk.example', options, 'https://shop.example'));
    expect(readParameters({ search, hash }).customFields).toEqual({
      order_number: 'A&17',
      line_2: 'x',
      a_b_test2_group: 'y',
      snake_case: 'z',
    });
  });

  it('are ignored if invalid', () => {
    const wrong = {
      theme: 'pink',
      'color-primary': 'red;}*{display:none',
      'color-secondary': '#12345',
      position: 'middle',
      'trigger-text': '  ',
    };
    expect(readOptions(dataOf({ organization: 'acme', ...wrong }))).toMatchObject({
      theme: undefined,
      position: 'bottom-right',
      triggerText: 'Support',
      primary: undefined,
      secondary: undefined,
    });
  });

  it('are truncated if too long', () => {
    const options = readOptions(dataOf({ organization: 'a', 'trigger-text': 'x'.repeat(500), 'placeholder-subject': 'y'.repeat(500) }));
    expect([options?.triggerText.length, options?.placeholderSubject?.length]).toEqual([40, 200]);
  });

  it.each<Record<string, string>>([{}, { organization: '' }, { organization: '   ' }])(
    'is not created without an organization: %j',
    (attributes) => {
      expect(readOptions(dataOf(attributes))).toBeUndefined();
    },
  );

  it('are passed to the frame in the URL fragment, except the organization', () => {
    const options = readOptions(dataOf({ organization: 'a&b', theme: 'light', 'placeholder-subject': 'What & why?' }))!;
    const address = new URL(frameAddress('https://desk.example', options, 'https://shop.example'));
    expect(address.pathname + address.search).toBe('/widget/frame?organization=a%26b');
    expect(Object.fromEntries(new URLSearchParams(address.hash.slice(1)))).toEqual({
      host: 'https://shop.example',
      theme: 'light',
      subject: 'What & why?',
    });
  });
});

describe('the launcher', () => {
  it('is in the chosen corner', () => {
    expect(launcherStyle({ position: 'top-left', primary: undefined, secondary: undefined })).toContain('top:20px;left:20px');
    expect(panelStyle({ position: 'bottom-left', theme: undefined })).toContain('bottom:80px;left:20px');
  });

  it('shows the number of unread replies, including to screen readers', () => {
    const { button, badge } = createLauncher('Support');
    badge(1, '1 new reply');
    expect(button).toHaveAccessibleName('Support, 1 new reply');
    badge(12, '12 new replies');
    expect(button).toHaveAccessibleName('Support, 12 new replies');
    expect(button.querySelector('.badge')).toHaveTextContent('9+');
    badge(0);
    expect(button).toHaveAccessibleName('Support');
  });
});

describe('messages', () => {
  const frame = document.createElement('iframe');
  beforeAll(() => void document.body.append(frame));
  const event = (more: object) =>
    new MessageEvent('message', {
      data: { tandem: { type: 'close' } },
      origin: 'https://desk.example',
      source: frame.contentWindow,
      ...more,
    });
  const readEvent = (more: object) => readMessage<FromFrame>(event(more), frame.contentWindow, 'https://desk.example');

  it('are accepted from this window of this origin', () => expect(readEvent({})).toEqual({ type: 'close' }));
  it.each([
    ['another origin', { origin: 'https://desk.example.evil.example' }],
    ['another window', { source: window }],
    ['nobody', { source: null }],
  ])('are not accepted from %s', (_who, more) => expect(readEvent(more)).toBeUndefined());
  it.each([[null], ['close'], [{ type: 'close' }], [{ tandem: 'close' }], [{ tandem: {} }]])('are not %j', (data) =>
    expect(readEvent({ data })).toBeUndefined(),
  );
});
