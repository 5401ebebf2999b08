import { createContext } from 'react';

/** Whether a page is rendered as one document, such as its Markdown: with all tabs, and without controls. */
export const AsDocument = createContext(false);
