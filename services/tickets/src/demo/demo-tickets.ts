import type { TicketPriority, TicketStatus } from '@tandem/contracts';

/** Author and text of a line in a demo conversation; a `note` is an internal staff comment. */
type Line = ['customer' | 'staff' | 'note', string];

export interface DemoTicket {
  daysAgo: number;
  customer: keyof typeof demoCustomers;
  subject: string;
  description: string | null;
  category: string | null;
  priority: TicketPriority;
  status: TicketStatus;
  /** Index into the given members, modulo their number; null: unassigned. */
  assignee: number | null;
  tags?: string[];
  lines?: Line[];
  /** Index of the ticket that this one is a follow-up to, from the same customer. */
  follows?: number;
}

/** example.com is reserved (RFC 2606), so no email reaches a real person. */
export const demoCustomers = {
  amara: ['Amara Okafor', 'amara.okafor@example.com'],
  ben: ['Ben Whitfield', 'ben.whitfield@example.com'],
  chiara: ['Chiara Lombardi', 'chiara.lombardi@example.com'],
  daniel: ['Daniel Reyes', 'daniel.reyes@example.com'],
  elif: ['Elif Yıldız', 'elif.yildiz@example.com'],
  freya: ['Freya Andersen', 'freya.andersen@example.com'],
  grace: ['Grace Kim', 'grace.kim@example.com'],
  hassan: ['Hassan Ali', 'hassan.ali@example.com'],
  ines: ['Inés Herrera', 'ines.herrera@example.com'],
  jonas: ['Jonas Müller', 'jonas.mueller@example.com'],
  kavya: ['Kavya Nair', 'kavya.nair@example.com'],
  liam: [null, 'liam@example.com'],
} as const satisfies Record<string, readonly [string | null, string]>;

const ticket = (
  daysAgo: number,
  customer: DemoTicket['customer'],
  priority: TicketPriority,
  status: TicketStatus,
  assignee: number | null,
  category: string | null,
  subject: string,
  description: string | null,
  lines: Line[] = [],
  tags: string[] = [],
): DemoTicket => ({ daysAgo, customer, priority, status, assignee, category, subject, description, lines, tags });

/** One ticket per entry; oldest first, so that the newest get the highest numbers. */
// prettier-ignore
export const demoTickets: DemoTicket[] = [
  ticket(29.6, 'amara', 'medium', 'closed', 0, 'Billing', 'Invoice for October shows the old address',
    'We moved in September. Could you put our new address on the October invoice and all later ones?', [
    ['staff', 'Of course. I have changed the address and attached a corrected invoice to your account.'],
    ['customer', 'Perfect, thank you for the quick help!'],
  ], ['invoice']),
  ticket(28.9, 'ben', 'high', 'closed', 1, 'Technical', 'Export stops at 10,000 rows',
    'The CSV export of our orders ends after exactly 10,000 rows although we have 14,200.', [
    ['staff', 'Thanks for the exact number, that helped. The limit was meant for the preview only; a fix is on its way.'],
    ['note', 'The export job uses the page limit of the list. Fixed in the export query, released on Tuesday.'],
    ['staff', 'The fix is live. Could you try again?'],
    ['customer', 'All 14,200 rows are there now.'],
  ], ['export', 'bug']),
  ticket(28.2, 'chiara', 'low', 'closed', 2, 'Question', 'Is there a keyboard shortcut for search?',
    'I search all day long. A shortcut would save me a lot of clicks.', [
    ['staff', 'There is: press / anywhere outside a text field.'],
  ]),
  ticket(27.4, 'daniel', 'urgent', 'closed', 0, 'Technical', 'Nobody in our office can sign in',
    'Since 8:15 all of us get "Please sign in" in a loop. It works from home.', [
    ['staff', 'We are looking into it right now. Is there a new proxy or firewall in your office?'],
    ['customer', 'Yes, IT says they changed the proxy last night.'],
    ['note', 'The proxy strips Set-Cookie. Sent them the article about proxies.'],
    ['staff', 'Your proxy removes our cookies. I have emailed your IT team the two settings to change.'],
    ['customer', 'That was it. Everybody is back in.'],
  ], ['sign-in']),
  ticket(26.7, 'elif', 'medium', 'resolved', 1, 'Account', 'Please change the owner of our account',
    'Our founder has left, and I am taking over. I can send any confirmation you need.', [
    ['staff', 'Welcome! We need a short confirmation from the current owner’s address. We will change it the same day.'],
    ['customer', 'She has just sent it.'],
    ['staff', 'Received, thank you. You are the owner now.'],
  ]),
  ticket(25.8, 'freya', 'medium', 'closed', 2, 'Shipping', 'Parcel arrived with a broken lid',
    'Order 20417: the lid of the large jar is broken, the rest is fine.', [
    ['staff', 'I am sorry about that. We are sending you a new lid today. There is no need to return anything.'],
  ]),
  ticket(25.1, 'grace', 'low', 'resolved', 0, 'Feature request', 'Dark mode, please',
    'It would be easier on my eyes in the evening.', [
    ['staff', 'You are not the only one who wants this. I have added your vote.'],
    ['note', 'Vote number 38 for dark mode.'],
  ], ['idea']),
  ticket(24.3, 'hassan', 'high', 'resolved', 1, 'Billing', 'Charged twice in October',
    'There are two charges of 49.00 on our card, on the 1st and on the 2nd.', [
    ['staff', 'I can see both. The second one is our mistake. You will get the money back within five days.'],
    ['customer', 'It has arrived, thanks.'],
  ], ['refund']),
  ticket(23.5, 'ines', 'medium', 'closed', 0, 'Question', 'Which countries do you ship to?',
    null, [
    ['staff', 'All of the EU, the UK, Norway and Switzerland.'],
  ]),
  ticket(22.6, 'jonas', 'medium', 'resolved', 2, 'Technical', 'Umlauts in file names become question marks',
    'If I upload "Übersicht März.pdf", colleagues see "?bersicht M?rz.pdf".', [
    ['note', 'Reproduced. The download header is not encoded.'],
    ['staff', 'We found the cause and fixed it. New and old files now show their real names.'],
  ], ['bug', 'upload']),
  ticket(21.9, 'kavya', 'high', 'resolved', 0, 'Technical', 'Webhooks arrive twice',
    'Our endpoint receives every order event twice, a few seconds apart.', [
    ['staff', 'Does your endpoint respond within ten seconds? After that, we retry.'],
    ['customer', 'It took twelve. We now queue the work and respond immediately. The duplicates are gone.'],
    ['staff', 'Great. You can also detect duplicates by the webhook-id header.'],
  ], ['webhooks']),
  ticket(20.7, 'liam', 'low', 'closed', null, null, 'test',
    null),
  ticket(19.8, 'amara', 'medium', 'resolved', 1, 'Account', 'Add three colleagues to our plan',
    'We are growing! How much are three more seats, and how do I add them?', [
    ['staff', 'You can add them under Team; each seat is 12.00 a month, charged from the day you add it.'],
  ]),
  ticket(18.9, 'ben', 'medium', 'waiting_for_customer', 2, 'Technical', 'Report shows last month’s numbers',
    'The sales report of this month shows the same totals as last month.', [
    ['staff', 'Could you send me the link to the report? I would like to see which filter it uses.'],
  ], ['reports']),
  ticket(18, 'chiara', 'urgent', 'resolved', 0, 'Technical', 'Shop page shows an error since this morning',
    'Customers see "Something went wrong" on every product page.', [
    ['staff', 'We are on it. This morning’s release caused it, and we are rolling it back.'],
    ['staff', 'The pages are working again. We will send you a report tomorrow.'],
    ['note', 'Post-mortem written, missing test added.'],
    ['customer', 'Confirmed. Thanks for being open about it.'],
  ], ['outage']),
  ticket(17.2, 'daniel', 'low', 'open', null, 'Feature request', 'Remember the sort order of the list',
    'After each sign-in the list is sorted by date again. I would like it to keep my order.', [], ['idea']),
  ticket(16.5, 'elif', 'medium', 'resolved', 1, 'Billing', 'We need a purchase order number on invoices',
    'Our accounting team rejects invoices without our PO number.', [
    ['staff', 'You can enter it under Billing, "Reference". It will be on your next invoice.'],
    ['customer', 'Found it.'],
  ], ['invoice']),
  ticket(15.6, 'freya', 'high', 'in_progress', 0, 'Shipping', 'Parcel has not moved for six days',
    'Tracking says "arrived at depot" since last Thursday. Order 20533.', [
    ['staff', 'I have asked the carrier to trace it, and will write to you as soon as they reply, by Friday at the latest.'],
    ['note', 'Carrier reference 88-1204. If it is not found by Friday, send a replacement.'],
  ]),
  ticket(14.8, 'grace', 'medium', 'closed', 2, 'Question', 'Can I pay by bank transfer?',
    'Our company has no credit card.', [
    ['staff', 'Yes, with an annual plan. Would you like a quote?'],
    ['customer', 'No need, we will get a card. Thank you!'],
  ]),
  ticket(14.1, 'hassan', 'medium', 'waiting_for_customer', 1, 'Technical', 'Import of contacts fails at line 312',
    'The import says "unknown format in line 312" but that line looks fine to me.', [
    ['staff', 'Could you send us lines 310 to 314? Feel free to change the names.'],
    ['note', 'Probably a line break inside a quoted field.'],
  ], ['import']),
  ticket(13.3, 'ines', 'high', 'resolved', 0, 'Account', 'Former colleague still has access',
    'Please remove the access of m.vidal, who left us last week.', [
    ['staff', 'Their access has been removed, and they are signed out everywhere. You can also do this yourself under Team.'],
  ], ['security']),
  ticket(12.4, 'jonas', 'low', 'resolved', 2, 'Question', 'Where do I find the API documentation?',
    null, [
    ['staff', 'In the app under Help, API reference. It has examples for each call.'],
  ]),
  ticket(11.7, 'kavya', 'medium', 'in_progress', 1, 'Technical', 'Emails to our customers land in spam',
    'Since we switched to our own domain, several customers have found our emails in their spam folder.', [
    ['staff', 'Your domain has no DKIM record for us yet. I have sent you the two records to add.'],
    ['customer', 'Our IT will add them this week.'],
  ], ['email', 'dns']),
  ticket(10.9, 'liam', 'medium', 'waiting_for_customer', 0, 'Shipping', 'Wrong size delivered',
    'I ordered L and got S.', [
    ['staff', 'I am sorry! Could you send me the order number? It starts with 2.'],
  ]),
  ticket(10, 'amara', 'high', 'in_progress', 2, 'Technical', 'Slow page load in the afternoon',
    'Between two and four the order list takes ten seconds to load. In the morning it is fast.', [
    ['note', 'The nightly report runs in their afternoon (time zone). Move it.'],
    ['staff', 'We can see it in our metrics and have found the cause. A fix is planned for Thursday.'],
  ], ['performance']),
  ticket(9.2, 'ben', 'low', 'open', null, 'Feature request', 'More colors for labels',
    'Eight colors are not enough for our fourteen teams.', [], ['idea']),
  ticket(8.6, 'chiara', 'medium', 'in_progress', 0, 'Account', 'Two-factor codes are refused',
    'The six digits from my app are always "not valid". My phone sets its clock automatically.', [
    ['staff', 'Did you change your phone recently? If so, the entry in the app may still belong to the old one.'],
    ['customer', 'I did! How do I set up the new one?'],
  ], ['sign-in']),
  ticket(7.9, 'daniel', 'urgent', 'in_progress', 1, 'Billing', 'Account suspended although we paid',
    'We are locked out. The payment left our bank on the 3rd. I can send the receipt.', [
    ['staff', 'Your account is active again while we look for the payment. Please send us the receipt.'],
    ['customer', 'Here are the details: reference 7741-TR, 588.00, on the 3rd.'],
    ['note', 'The payment arrived without our reference and could not be matched. Finance is on it.'],
  ], ['payment']),
  ticket(7.1, 'elif', 'medium', 'open', 2, 'Technical', 'Calendar shows the wrong week start',
    'Our week starts on Monday, but the calendar starts on Sunday, whatever I choose in the settings.', [], ['bug']),
  ticket(6.4, 'freya', 'low', 'waiting_for_customer', 0, 'Question', 'Do you have a discount for schools?',
    'We are a small music school with nine teachers.', [
    ['staff', 'We do: thirty percent. Could you send us proof that you are a school?'],
  ]),
  ticket(5.6, 'grace', 'high', 'open', 1, 'Technical', 'Pictures upload upside down',
    'Photos from our warehouse phones are rotated by 180 degrees after the upload.', [
    ['customer', 'It happens with portrait photos only.'],
  ], ['bug', 'upload']),
  { ...ticket(5.2, 'ben', 'medium', 'in_progress', 1, 'Technical', 'Export stops at 10,000 rows',
    'It worked after your fix, but since Monday the export ends after exactly 10,000 rows again.', [
    ['staff', 'Thank you for letting us know, and sorry that it is back. I see it too. We are looking into what changed on Monday.'],
  ], ['export', 'bug']), follows: 1 },
  ticket(4.9, 'hassan', 'medium', 'in_progress', 2, 'Integrations', 'Tasks are created without a due date',
    'Tickets become tasks, which is great, but our project managers need the due date.', [
    ['staff', 'That needs a field mapping. I can set it up with you. Does tomorrow at ten work for you?'],
    ['customer', 'It does.'],
  ], ['tasks']),
  ticket(4.2, 'ines', 'medium', 'waiting_for_customer', 1, 'Billing', 'VAT number is not accepted',
    'The form says that our VAT number is not valid, but it is.', [
    ['staff', 'The tax office’s service was down yesterday evening. Could you try again?'],
  ], ['invoice']),
  ticket(3.5, 'jonas', 'low', 'open', null, 'Feature request', 'Print view for tickets',
    'We print finished tickets for our archive, and the menu on the left is printed, too.', [], ['idea']),
  ticket(2.8, 'kavya', 'urgent', 'open', 0, 'Technical', 'API returns 429 although we send few requests',
    'We send about twenty requests a minute and get "Rate limit exceeded".', [
    ['note', 'Two of their tools share one API key. Ask them before we reply.'],
  ], ['api']),
  ticket(2.1, 'liam', 'medium', 'open', null, 'Shipping', 'Change of delivery address',
    'Please send order 20719 to my neighbor, at number 14 instead of 12.'),
  ticket(1.4, 'amara', 'medium', 'waiting_for_customer', 2, 'Account', 'Cannot change my email address',
    'I click Save and the old address comes back.', [
    ['staff', 'We have sent a link to the new address. The change takes effect when you open it. Did it arrive?'],
  ]),
  ticket(0.9, 'ben', 'high', 'open', null, 'Technical', 'Search does not find new orders',
    'Today’s orders do not show up in the search, but older ones do.', [], ['search']),
  ticket(0.5, 'chiara', 'medium', 'open', null, 'Question', 'How do I close a project?',
    'I can archive it, but I would like it to stay in the reports.'),
  ticket(0.2, 'daniel', 'high', 'open', null, 'Billing', 'Refund for canceled order 20731',
    'We canceled within the hour, but have not got the money back yet.', [], ['refund']),
];
