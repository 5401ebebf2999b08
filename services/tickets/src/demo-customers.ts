import type { Survey, TicketChannel } from '@tandem/contracts';

/** Channels in rotation: most customers write an e-mail, and some call. */
const doors: readonly TicketChannel[] = ['email', 'portal', 'email', 'widget', 'portal', 'email', 'staff'];
export const demoChannel = (index: number): TicketChannel => doors[index % doors.length]!;

const said = (rating: Survey['rating'], feedback: string | null = null) => ({ rating, feedback });

/** Survey answers by ticket subject: about half of the customers answer, and few add a text to the rating. */
export const demoSurveys: Readonly<Record<string, Pick<Survey, 'rating' | 'feedback'>>> = {
  'Invoice for October shows the old address': said(5),
  'Is there a keyboard shortcut for search?': said(5, 'Answered before I had finished my coffee.'),
  'Nobody in our office can sign in': said(4, 'A stressful morning for us, but you found it quickly.'),
  'Please change the owner of our account': said(4),
  'Dark mode, please': said(3, 'Friendly, but I still work in a bright room at night.'),
  'Charged twice in October': said(2, 'The money is back, but it took two weeks.'),
  'Umlauts in file names become question marks': said(5),
  'Webhook calls come twice': said(5, 'Somebody who understood the problem at once. Thank you!'),
  'Shop page shows an error since this morning': said(3),
  'Can I pay by bank transfer?': said(5),
  'Former colleague still has access': said(5, 'Done within minutes.'),
};
