import type { Survey } from '@tandem/contracts';

const answer = (rating: Survey['rating'], feedback: string | null = null) => ({ rating, feedback });

/** Survey answers by ticket subject: about half of the customers answer, and few add a text to the rating. */
export const demoSurveys: Readonly<Record<string, Pick<Survey, 'rating' | 'feedback'>>> = {
  'Invoice for October shows the old address': answer(5),
  'Is there a keyboard shortcut for search?': answer(5, 'Answered before I had finished my coffee.'),
  'Nobody in our office can sign in': answer(4, 'A stressful morning for us, but you found it quickly.'),
  'Please change the owner of our account': answer(4),
  'Dark mode, please': answer(3, 'Friendly, but I still work in a bright room at night.'),
  'Charged twice in October': answer(2, 'I got the money back, but it took two weeks.'),
  'Umlauts in file names become question marks': answer(5),
  'Webhooks arrive twice': answer(5, 'You understood the problem right away. Thank you!'),
  'Shop page shows an error since this morning': answer(3),
  'Can I pay by bank transfer?': answer(5),
  'Former colleague still has access': answer(5, 'Done within minutes.'),
};
