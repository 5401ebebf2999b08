import { createArticle, publishArticle, searchArticles, type Article, type ArticleMatch } from '@tandem/contracts';
import { asCustomer, asStaff, TicketsUnderTest, type TestOrganization } from '../../test/tickets';

let tickets: TicketsUnderTest;
let shop: TestOrganization;
beforeAll(async () => {
  tickets = await TicketsUnderTest.start();
  shop = await tickets.anOrganization();
  for (const article of articles) await publish(shop, article);
});
afterAll(() => tickets?.close());

type Text = { title: string; body: string; language?: string; summary?: string };

async function publish(organization: TestOrganization, text: Text & { visibility?: 'public' | 'internal' }): Promise<Article> {
  const admin = asStaff(organization, 'admin');
  const created = await tickets.call<Article>(createArticle, admin, { body: { language: 'en', ...text } });
  const { id, version } = created.data;
  const published = await tickets.call<Article>(publishArticle, admin, { params: { id }, body: { version } });
  expect(published.status).toBe(200);
  return published.data;
}

async function find(q: string, query: Record<string, string> = {}, organization = shop): Promise<ArticleMatch[]> {
  const found = await tickets.call<ArticleMatch[]>(searchArticles, asCustomer(organization.id), { query: { q, ...query } });
  expect([q, found.status]).toEqual([q, 200]);
  return found.data;
}
const titles = async (q: string, query?: Record<string, string>, organization?: TestOrganization) =>
  (await find(q, query, organization)).map(({ title }) => title);

const articles: Text[] = [
  { title: 'Refund a payment', body: 'Open **Payments**, choose the order and select *Refund*. The money arrives within 5 days on the card that was charged.' },
  { title: 'Reset your password', body: 'Select “Forgot password?” on the sign-in page. We email you a link that is valid for one hour.' },
  { title: 'Change your email address', body: 'Go to Settings → Profile and enter the new address. You confirm it with a link that we send there.' },
  { title: 'Set up two-factor authentication', body: 'Scan the code with an authenticator app, such as 1Password. Store the recovery codes in a safe place.' },
  { title: 'Download an invoice', body: 'All invoices are in Settings → Billing. Choose a month and download the PDF. Add your VAT number to show it on new invoices.' },
  { title: 'Cancel your subscription', body: 'You can cancel at any time. Your plan stays active until the end of the billing period, and nothing is charged afterwards.' },
  { title: 'Upgrade or downgrade your plan', body: 'An upgrade takes effect immediately and is charged proportionally. A downgrade takes effect at the end of the month.' },
  { title: 'Invite teammates', body: 'Enter the email addresses of your colleagues, choose a role and send the invitations. They expire after seven days.' },
  { title: 'Export your data as CSV', body: 'An admin can export all orders, customers and products. We email a link as soon as the file is ready.' },
  { title: 'Import products from a spreadsheet', body: 'Upload a CSV or Excel file and assign each column to a field. Rows with errors are listed before anything is imported.' },
  { title: 'Track a shipment', body: 'Each order has a tracking link once the parcel has left our warehouse. Carriers update it every few hours.' },
  { title: 'Return an item', body: 'Print the return label within 30 days and drop the parcel at any post office. Items must be unused.' },
  { title: 'Change the delivery address of an order', body: 'As long as the order has not been shipped, you can edit its address. Afterwards, contact the carrier.' },
  { title: 'Delivery times and shipping costs', body: 'Standard delivery takes 2 to 4 days and costs $5. Express delivery takes one day. Shipping is free above $50.' },
  { title: 'Connect Slack', body: 'Install the app from the Slack directory and choose the channel that receives notifications about new orders.' },
  { title: 'Webhooks and the API', body: 'Create an API key in Settings → Developers. Webhooks are signed; verify the signature with your secret.' },
  { title: 'Fix error 500 at checkout', body: 'The error appears if the payment provider does not answer. Clear the cart, wait a minute and retry the checkout.' },
  { title: 'Why was my card declined?', body: 'Banks decline cards for insufficient funds, a wrong security code or an expired card. Ask your bank for the reason.' },
  { title: 'Use a discount code', body: 'Enter the coupon at checkout before you pay. Only one voucher can be used per order.' },
  { title: 'Delete your account', body: 'Deleting an account removes all personal data after 14 days. It cannot be undone.' },
  { title: 'Add a custom domain', body: 'Add a CNAME record at your DNS provider. The certificate is issued automatically within minutes.' },
  { title: 'Install the mobile app', body: 'The app is available for iPhone and Android. Sign in with the same account as on the website.' },
  { title: 'Manage notifications', body: 'Choose which emails and push notifications you receive. Turn off the newsletter at the bottom of each email.' },
  { title: 'Warranty and repairs', body: 'All devices have a warranty of two years. Send us a photo of the defect, and we arrange the repair or a replacement.' },
  { title: 'Accepted payment methods', body: 'We accept Visa, Mastercard, PayPal and bank transfer. Payment on account is available for companies.' },
  { title: 'Passwort zurücksetzen', language: 'de', body: 'Klicken Sie auf „Passwort vergessen“. Sie erhalten eine E-Mail mit einem Link, der eine Stunde gültig ist.' },
  { title: 'Rechnungen herunterladen', language: 'de', body: 'Alle Rechnungen finden Sie unter Einstellungen → Abrechnung als PDF.' },
  { title: 'Einen Artikel zurückgeben', language: 'de', body: 'Drucken Sie das Rücksendeetikett aus und geben Sie das Paket innerhalb von 30 Tagen ab.' },
  { title: 'Réinitialiser votre mot de passe', language: 'fr', body: 'Cliquez sur « Mot de passe oublié ». Vous recevez un lien valable une heure.' },
  { title: 'Suivre une livraison', language: 'fr', body: 'Le lien de suivi se trouve dans votre commande dès que le colis a quitté notre entrepôt.' },
]; // prettier-ignore

describe('suggestions for the subject of a ticket', () => {
  it.each<[string, string | null]>([
    ['I want my money back, please refund order 1234', 'Refund a payment'],
    ['Forgot my password', 'Reset your password'],
    ['cannot log in, password not accepted', 'Reset your password'],
    ['How do I change my email address?', 'Change your email address'],
    ['Where can I find the invoice for March?', 'Download an invoice'],
    ['Need invoices with our VAT number', 'Download an invoice'],
    ['Please cancel my subscription', 'Cancel your subscription'],
    ['We want to downgrade', 'Upgrade or downgrade your plan'],
    ['How can I invite a colleague', 'Invite teammates'],
    ['CSV export of all customers', 'Export your data as CSV'],
    ['Importing products from Excel fails', 'Import products from a spreadsheet'],
    ['Where is my shipment?', 'Track a shipment'],
    ['I would like to return a pair of shoes', 'Return an item'],
    ['Wrong delivery address', 'Change the delivery address of an order'],
    ['How much does delivery cost', 'Delivery times and shipping costs'],
    ['Slack notifications stopped', 'Connect Slack'],
    ['webhook signature does not verify', 'Webhooks and the API'],
    ['Error 500 when I try to check out at checkout', 'Fix error 500 at checkout'],
    ['My card was declined', 'Why was my card declined?'],
    ['Discount code is not accepted', 'Use a discount code'],
    ['Delete account', 'Delete your account'],
    ['custom domain certificate', 'Add a custom domain'],
    ['Too many notifications', 'Manage notifications'],
    ['Warranty for a broken device', 'Warranty and repairs'],
    ['2FA two-factor code lost', 'Set up two-factor authentication'],
    ['Hello, I have a question', null],
    ['Urgent!!! Please help', null],
    ['The coffee machine in the lobby leaks water', null],
    ['Meeting next Tuesday at noon', null],
    ['asdf qwertz yxcv', null],
    ['It does not work anymore', null],
  ])('%s → %s', async (subject, expected) => {
    expect((await titles(subject, { for: 'suggestions', language: 'en' }))[0] ?? null).toBe(expected);
  });

  it.each<[string, string, string | null]>([
    ['de', 'Ich habe mein Passwort vergessen', 'Passwort zurücksetzen'],
    ['de', 'Wo finde ich meine Rechnung?', 'Rechnungen herunterladen'],
    ['de', 'Ich möchte einen Artikel zurückgeben', 'Einen Artikel zurückgeben'],
    ['de', 'Hallo, ich habe eine Frage', null],
    ['fr', "J'ai oublié mon mot de passe", 'Réinitialiser votre mot de passe'],
    ['fr', 'Où est ma livraison ?', 'Suivre une livraison'],
    ['fr', 'Bonjour, j’ai besoin d’aide', null],
  ])('in %s: %s → %s', async (language, subject, expected) => {
    expect((await titles(subject, { for: 'suggestions', language }))[0] ?? null).toBe(expected);
  });

  it('are at most three', async () => {
    expect(await titles('password email address order delivery notifications', { for: 'suggestions' })).toHaveLength(3);
  });
});

describe('the search', () => {
  it('shows articles with the words in their title first', async () => {
    expect((await titles('payment')).slice(0, 2).sort()).toEqual(['Accepted payment methods', 'Refund a payment']);
    expect(await titles('payment')).toContain('Fix error 500 at checkout');
  });

  it.each([
    ['pass', 'Reset your password'],
    ['how to refu', 'Refund a payment'],
    ['REFUNDING', 'Refund a payment'],
    ['two factor', 'Set up two-factor authentication'],
    ['recovery codes', 'Set up two-factor authentication'],
    ['refnud', 'Refund a payment'],
    ['subscribtion', 'Cancel your subscription'],
    ['warranty unicorn', 'Warranty and repairs'],
  ])('finds “%s” in “%s”', async (q, title) => {
    expect((await titles(q, { language: 'en' }))[0]).toBe(title);
  });

  it('lists the articles of the asked language first, then the others', async () => {
    const mixed = await find('PDF', { language: 'de' });
    expect(mixed.map(({ language }) => language)).toEqual(['de', 'en']);
  });

  it('finds nothing for words that no article has', async () => expect(await titles('xylophone')).toEqual([]));

  it('shows the matching passage without Markdown', async () => {
    const [match] = await find('charged card');
    expect(match).toMatchObject({ title: 'Refund a payment', category_name: null });
    expect(match!.excerpt).toContain('card that was charged');
    expect(match!.excerpt).not.toContain('*');
    expect((await find('reset'))[0]!.excerpt).toBeNull();
  });

  it('does not index the targets of links and pictures', async () => {
    const organization = await tickets.anOrganization();
    await publish(organization, {
      title: 'Links',
      body: 'See [the manual](https://example.com/zebra) ![a chart](giraffe.png) **bold**text',
    });
    expect(await titles('zebra', {}, organization)).toEqual([]);
    expect(await titles('giraffe', {}, organization)).toEqual([]);
    expect(await titles('chart', {}, organization)).toEqual(['Links']);
    expect(await titles('bold', {}, organization)).toEqual(['Links']);
  });

  it('finds words with accents that are typed without them, and the other way round', async () => {
    const organization = await tickets.anOrganization();
    await publish(organization, { title: 'Être remboursé', language: 'fr', body: 'La réinitialisation de l’accès est immédiate.' });
    await publish(organization, { title: 'Über die Straße', language: 'de', body: 'Öffnungszeiten und Rückgaben' });
    await publish(organization, { title: 'Resume of a cafe', body: 'Naive text' });
    const found: [string, string][] = [
      ['rembourse', 'Être remboursé'],
      ['rembours', 'Être remboursé'],
      ['remboursée', 'Être remboursé'],
      ['reinitialiser', 'Être remboursé'],
      ['uber', 'Über die Straße'],
      ['ub', 'Über die Straße'],
      ['strasse', 'Über die Straße'],
      ['offnungszeit', 'Über die Straße'],
      ['ruckgabe', 'Über die Straße'],
      ['u\u0308ber', 'Über die Straße'],
      ['résumé', 'Resume of a cafe'],
      ['naïve', 'Resume of a cafe'],
      ['remvourse', 'Être remboursé'],
    ];
    for (const [q, title] of found) expect([q, ...(await titles(q, {}, organization))]).toEqual([q, title]);
    const suggestions = { for: 'suggestions', language: 'fr' };
    expect(await titles('je veux etre rembourse', suggestions, organization)).toEqual(['Être remboursé']);
    expect(await titles('un probleme urgent', suggestions, organization)).toEqual([]);
  });

  it('finds Korean and Japanese words with voiced sounds', async () => {
    const organization = await tickets.anOrganization();
    await publish(organization, { title: 'ガイド', language: 'ja', body: '한국어' });
    for (const q of ['ガイド', '한국어', '한']) expect([q, ...(await titles(q, {}, organization))]).toEqual([q, 'ガイド']);
  });

  it('finds words within Japanese sentences', async () => {
    const organization = await tickets.anOrganization();
    await publish(organization, { title: '返金の方法', language: 'ja', body: '注文を開いて、返金ボタンを押してください。' });
    await publish(organization, { title: 'パスワードの変更', language: 'ja', body: '設定を開いてください。' });
    for (const q of ['返金', '金ボタン', '返']) expect(await titles(q, {}, organization)).toEqual(['返金の方法']);
    expect(await titles('返金できません', { for: 'suggestions', language: 'ja' }, organization)).toEqual(['返金の方法']);
  });
});

it.each([
  "O'Reilly' or 1=1 --", '!', ':*', '&', 'a & !b | (c', '\\', "'", '<->', 'the of and', '!'.repeat(200), "'\\".repeat(100), '%_%', 'كلمة المرور',
  '退款', '😀😀', 'ﬁ ①', 'x'.repeat(200), 'a b c d e f g h i j k l m n o p q r s t u v w x y z', '\u200f\u202e', '👨‍👩‍👧:*',
])('answers odd queries quickly: %j', async (q) => {
  for (const purpose of ['search', 'suggestions']) {
    const start = performance.now();
    await find(q, { for: purpose, language: 'en' });
    expect(performance.now() - start).toBeLessThan(500);
  }
}); // prettier-ignore

it.each([[''], ['   '], ['\0'], ['x'.repeat(201)]])('refuses the query %j', async (q) => {
  const { status } = await tickets.call(searchArticles, asCustomer(shop.id), { query: { q } });
  expect(status).toBe(422);
});
