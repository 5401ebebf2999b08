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

/** example.com is reserved (RFC 2606), so no mail reaches a real person. */
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
    'I search all day long, a shortcut would save me many clicks.', [
    ['staff', 'There is: press / anywhere outside a text field.'],
  ]),
  ticket(27.4, 'daniel', 'urgent', 'closed', 0, 'Technical', 'Nobody in our office can sign in',
    'Since 8:15 all of us get "Please sign in" in a loop. Home offices work.', [
    ['staff', 'We are looking at it right now. Does your office go out through a new proxy or firewall?'],
    ['customer', 'IT says that they changed the proxy last night, yes.'],
    ['note', 'The proxy strips Set-Cookie. Sent them the article about proxies.'],
    ['staff', 'Your proxy removes our cookies. I have mailed the two settings to change to your IT.'],
    ['customer', 'That was it. Everybody is back in.'],
  ], ['sign-in']),
  ticket(26.7, 'elif', 'medium', 'resolved', 1, 'Account', 'Please change the owner of our account',
    'Our founder has left; I take over. I can send whatever confirmation you need.', [
    ['staff', 'Welcome! We need a short confirmation from the current owner’s address, then we change it the same day.'],
    ['customer', 'She has just sent it.'],
    ['staff', 'Received, and done. You are the owner now.'],
  ]),
  ticket(25.8, 'freya', 'medium', 'closed', 2, 'Shipping', 'Parcel arrived with a broken lid',
    'Order 20417: the lid of the large jar is broken, the rest is fine.', [
    ['staff', 'I am sorry about that. A new lid leaves our house today, no need to send anything back.'],
  ]),
  ticket(25.1, 'grace', 'low', 'resolved', 0, 'Feature request', 'Dark mode, please',
    'My eyes would be grateful in the evening.', [
    ['staff', 'You are not alone with that wish. I have added your voice to it.'],
    ['note', 'Vote number 38 for dark mode.'],
  ], ['idea']),
  ticket(24.3, 'hassan', 'high', 'resolved', 1, 'Billing', 'Charged twice in October',
    'There are two charges of 49.00 on our card, on the 1st and on the 2nd.', [
    ['staff', 'I can see both. The second one is a mistake of ours and will be back on your card within five days.'],
    ['customer', 'It has arrived, thanks.'],
  ], ['refund']),
  ticket(23.5, 'ines', 'medium', 'closed', 0, 'Question', 'Which countries do you ship to?',
    null, [
    ['staff', 'All of the EU, the UK, Norway and Switzerland.'],
  ]),
  ticket(22.6, 'jonas', 'medium', 'resolved', 2, 'Technical', 'Umlauts in file names become question marks',
    'If I upload "Übersicht März.pdf", colleagues see "?bersicht M?rz.pdf".', [
    ['note', 'Reproduced. The download header is not encoded.'],
    ['staff', 'We found the reason and fixed it. New uploads and old files both show their real names now.'],
  ], ['bug', 'upload']),
  ticket(21.9, 'kavya', 'high', 'resolved', 0, 'Technical', 'Webhook calls come twice',
    'Our endpoint receives every order event twice, a few seconds apart.', [
    ['staff', 'Does your endpoint answer within ten seconds? After that we try again.'],
    ['customer', 'It took twelve. We now queue the work and answer at once: no more doubles.'],
    ['staff', 'Great. The header webhook-id also lets you recognize a repeat.'],
  ], ['webhooks']),
  ticket(20.7, 'liam', 'low', 'closed', null, null, 'test',
    null),
  ticket(19.8, 'amara', 'medium', 'resolved', 1, 'Account', 'Add three colleagues to our plan',
    'We grow! Please tell me what three more seats cost and how I add them.', [
    ['staff', 'You can add them under Team; each seat is 12.00 a month, charged from the day you add it.'],
  ]),
  ticket(18.9, 'ben', 'medium', 'waiting_for_customer', 2, 'Technical', 'Report shows last month’s numbers',
    'The sales report of this month shows the same totals as last month.', [
    ['staff', 'Could you send me the link of the report? I would like to see which filter it has stored.'],
  ], ['reports']),
  ticket(18, 'chiara', 'urgent', 'resolved', 0, 'Technical', 'Shop page shows an error since this morning',
    'Customers see "Something went wrong" on every product page.', [
    ['staff', 'We are on it. A release of this morning is the reason, we are taking it back.'],
    ['staff', 'The pages work again. We will send you a report tomorrow.'],
    ['note', 'Post-mortem is written; the missing test is added.'],
    ['customer', 'Confirmed, and thanks for the openness.'],
  ], ['outage']),
  ticket(17.2, 'daniel', 'low', 'open', null, 'Feature request', 'Remember the sort order of the list',
    'After each sign-in the list is sorted by date again. I would like it to keep my order.', [], ['idea']),
  ticket(16.5, 'elif', 'medium', 'resolved', 1, 'Billing', 'We need a purchase order number on invoices',
    'Our accounting refuses invoices without our PO number.', [
    ['staff', 'You can enter it under Billing, "Reference". It is printed from the next invoice on.'],
    ['customer', 'Found it.'],
  ], ['invoice']),
  ticket(15.6, 'freya', 'high', 'in_progress', 0, 'Shipping', 'Parcel has not moved for six days',
    'Tracking says "arrived at depot" since last Thursday. Order 20533.', [
    ['staff', 'I have opened a search with the carrier and will write to you as soon as they answer, on Friday at the latest.'],
    ['note', 'Carrier reference 88-1204. If nothing is found by Friday: send a new one.'],
  ]),
  ticket(14.8, 'grace', 'medium', 'closed', 2, 'Question', 'Can I pay by bank transfer?',
    'Our company has no credit card.', [
    ['staff', 'With a yearly plan, yes. Shall I send you an offer?'],
    ['customer', 'No need, we will get a card. Thank you!'],
  ]),
  ticket(14.1, 'hassan', 'medium', 'waiting_for_customer', 1, 'Technical', 'Import of contacts fails at line 312',
    'The import says "unknown format in line 312" but that line looks fine to me.', [
    ['staff', 'Could you send us lines 310 to 314? You may replace the names.'],
    ['note', 'Probably a line break inside a quoted field.'],
  ], ['import']),
  ticket(13.3, 'ines', 'high', 'resolved', 0, 'Account', 'Former colleague still has access',
    'Please remove the access of m.vidal, who left us last week.', [
    ['staff', 'The access is closed and all sessions are ended. You can do this yourself under Team, too.'],
  ], ['security']),
  ticket(12.4, 'jonas', 'low', 'resolved', 2, 'Question', 'Where do I find the API documentation?',
    null, [
    ['staff', 'In the app under Help, API reference. It has examples for each call.'],
  ]),
  ticket(11.7, 'kavya', 'medium', 'in_progress', 1, 'Technical', 'Emails to our customers land in spam',
    'Since we use our own domain, several customers find our mails in their spam folder.', [
    ['staff', 'Your domain has no DKIM record for us yet. I have sent you the two records to add.'],
    ['customer', 'Our IT will add them this week.'],
  ], ['email', 'dns']),
  ticket(10.9, 'liam', 'medium', 'waiting_for_customer', 0, 'Shipping', 'Wrong size delivered',
    'I ordered L and got S.', [
    ['staff', 'I am sorry! Could you send me the order number? It begins with 2.'],
  ]),
  ticket(10, 'amara', 'high', 'in_progress', 2, 'Technical', 'Slow page load in the afternoon',
    'Between two and four the order list takes ten seconds. In the morning it is quick.', [
    ['note', 'The nightly report runs in their afternoon (time zone). Move it.'],
    ['staff', 'We can see it in our measurements and have found the reason. A change is planned for Thursday.'],
  ], ['performance']),
  ticket(9.2, 'ben', 'low', 'open', null, 'Feature request', 'More colours for labels',
    'Eight colours are not enough for our fourteen teams.', [], ['idea']),
  ticket(8.6, 'chiara', 'medium', 'in_progress', 0, 'Account', 'Two-factor codes are refused',
    'The six digits of my app are always "not valid". The clock of my phone is set automatically.', [
    ['staff', 'Did you change your phone recently? Then the entry in the app may still belong to the old one.'],
    ['customer', 'I did! How do I enrol the new one?'],
  ], ['sign-in']),
  ticket(7.9, 'daniel', 'urgent', 'in_progress', 1, 'Billing', 'Account suspended although we have paid',
    'We are locked out. The payment left our bank on the 3rd, I can send the receipt.', [
    ['staff', 'Your account is open again while we look for the payment. Please do send the receipt.'],
    ['customer', 'Here are the details: reference 7741-TR, 588.00, on the 3rd.'],
    ['note', 'The payment came without our reference and waits in the clarification account. Finance is on it.'],
  ], ['payment']),
  ticket(7.1, 'elif', 'medium', 'open', 2, 'Technical', 'Calendar shows the wrong week start',
    'Our week starts on Monday, the calendar on Sunday, whatever I choose in the settings.', [], ['bug']),
  ticket(6.4, 'freya', 'low', 'waiting_for_customer', 0, 'Question', 'Do you have a discount for schools?',
    'We are a small music school with nine teachers.', [
    ['staff', 'We do, thirty per cent. Could you send us a confirmation of your status?'],
  ]),
  ticket(5.6, 'grace', 'high', 'open', 1, 'Technical', 'Pictures upload upside down',
    'Photos from our warehouse phones are turned by 180 degrees after the upload.', [
    ['customer', 'It happens with portrait photos only.'],
  ], ['bug', 'upload']),
  { ...ticket(5.2, 'ben', 'medium', 'in_progress', 1, 'Technical', 'Export stops at 10,000 rows',
    'It worked after your fix, but since Monday the export ends after exactly 10,000 rows again.', [
    ['staff', 'Thank you for telling us, and sorry for the second round. I see it too; we are looking into what changed on Monday.'],
  ], ['export', 'bug']), follows: 1 },
  ticket(4.9, 'hassan', 'medium', 'in_progress', 2, 'Integrations', 'Tasks are created without a due date',
    'Tickets become tasks, good, but our project managers miss the due date.', [
    ['staff', 'That needs a field mapping, which I will set up with you. Does tomorrow at ten suit you?'],
    ['customer', 'It does.'],
  ], ['tasks']),
  ticket(4.2, 'ines', 'medium', 'waiting_for_customer', 1, 'Billing', 'VAT number is not accepted',
    'The form says that our VAT number is not valid, but it is.', [
    ['staff', 'The tax office’s service was away yesterday evening. Could you try once more?'],
  ], ['invoice']),
  ticket(3.5, 'jonas', 'low', 'open', null, 'Feature request', 'Print view for tickets',
    'For our archive we print finished tickets; the menu on the left is printed as well.', [], ['idea']),
  ticket(2.8, 'kavya', 'urgent', 'open', 0, 'Technical', 'API answers 429 although we send little',
    'We send about twenty requests a minute and get "Rate limit exceeded".', [
    ['note', 'Two of their tools share one API key. Ask before we answer.'],
  ], ['api']),
  ticket(2.1, 'liam', 'medium', 'open', null, 'Shipping', 'Change of delivery address',
    'Please send order 20719 to my neighbour, number 14 instead of 12.'),
  ticket(1.4, 'amara', 'medium', 'waiting_for_customer', 2, 'Account', 'Cannot change my e-mail address',
    'I click Save and the old address comes back.', [
    ['staff', 'We have sent a link to the new address; the change counts once you have clicked it. Did it arrive?'],
  ]),
  ticket(0.9, 'ben', 'high', 'open', null, 'Technical', 'Search does not find new orders',
    'Orders of today do not show up in the search, older ones do.', [], ['search']),
  ticket(0.5, 'chiara', 'medium', 'open', null, 'Question', 'How do I close a project?',
    'I can archive it, but I would like it to stay in the reports.'),
  ticket(0.2, 'daniel', 'high', 'open', null, 'Billing', 'Refund for cancelled order 20731',
    'We cancelled within the hour, the money has not come back yet.', [], ['refund']),
];
