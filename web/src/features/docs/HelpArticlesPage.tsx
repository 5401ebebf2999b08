import { articleLimits, articleSuggestions } from '@tandem/contracts/values';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { DocsPage } from './DocsPage';
import { docsLink, DocsSection, Points, Steps } from './DocsSection';
import { DocsTable } from './DocsTable';

const ArticlesLink = () => (
  <Link to="/articles" className={docsLink}>
    Articles
  </Link>
);

const permissions: ReactNode[][] = [
  ['Read articles, and write drafts', 'Everyone in your team'],
  ['Publish, unpublish, delete and restore', 'Managers and admins'],
  ['Change categories, and the visibility of published articles', 'Managers and admins'],
  ['See the figures', 'Managers and admins'],
];

const figures: ReactNode[][] = [
  ['Views', 'Articles that readers opened, at most once per page'],
  ['Rated helpful', 'The share of readers who answered “Did this help?” with yes'],
  ['Searches without results', 'What readers looked for and didn’t find. Write an article about it with one click.'],
  ['Suggestions opened', 'Articles that customers opened while they wrote a ticket'],
  ['Solved without a ticket', 'Customers who chose “This solved it” instead of sending the ticket'],
];

const Write = () => (
  <DocsSection title="Write an article">
    <Steps>
      <li>
        Open <ArticlesLink /> and choose New article. Use the question that your customers ask as the title.
      </li>
      <li>Write the text in Markdown: headings, lists, links, quotes and code. Paste or drop pictures into it.</li>
      <li>Add a summary of one or two sentences. Lists, search results and search engines show it.</li>
      <li>Choose the language, a category, and who can read the article.</li>
    </Steps>
    <p>
      Your changes are a draft. Readers don’t see them until the article is published. An organization can have up to{' '}
      {articleLimits.articles.toLocaleString('en-US')} articles and {articleLimits.categories} categories.
    </p>
  </DocsSection>
);

const Publish = () => (
  <DocsSection title="Publish an article">
    <p>
      Publishing turns the draft into a new version, which readers see immediately. Later changes are a draft again, until you publish the
      next version. The latest {articleLimits.versions} versions are kept, with their author and date.
    </p>
    <Points>
      <li>Unpublish an article to take it off the help pages. Its versions stay.</li>
      <li>A deleted article can be restored for {articleLimits.daysToRestore} days.</li>
      <li>You can change the title at any time. Old links keep working, because only the number in the address counts.</li>
      <li>Deleting a category keeps its articles, without a category.</li>
    </Points>
    <DocsTable caption="Who can do what" isCode={false} head={['Action', 'Role']} rows={permissions} />
  </DocsSection>
);

const Visibility = () => (
  <DocsSection title="Who can read it">
    <Points>
      <li>
        <em>Everyone</em>: the article is on your help pages at <code>/help</code>. Search engines can find it.
      </li>
      <li>
        <em>Team members only</em>: an internal article. Neither the help pages nor their search, their pictures or the sitemap contain it.
      </li>
    </Points>
    <p>Each article has one language. The help pages show the articles in the reader’s language, or all of them if there are none.</p>
  </DocsSection>
);

const Suggestions = () => (
  <DocsSection title="Suggestions">
    <p>
      The forms for a new ticket, on your portal and in the widget, suggest up to {articleSuggestions.max} articles when the subject has at
      least {articleSuggestions.characters} characters. Customers read them without leaving the form. They can choose “This solved it”, or
      send the ticket at any time.
    </p>
  </DocsSection>
);

const InTickets = () => (
  <DocsSection title="Use articles in tickets">
    <Points>
      <li>
        Type <code>??</code> at the start of a word in a reply or note, and search. Enter inserts a link, Shift+Enter the text without its
        pictures. The toolbar has a button for it, and <code>b</code> opens the search on a ticket’s page.
      </li>
      <li>
        Customers can’t open drafts and internal articles. In a reply, their text is inserted instead of a link. Read it before you send it.
        In a note, the link opens the article in Tandem.
      </li>
      <li>
        Choose “Create article from ticket” in the menu of a ticket that your team has replied to. The question and your team’s public
        replies become an internal draft. Remove personal details before you publish it.
      </li>
    </Points>
  </DocsSection>
);

/** /docs/help-articles */
export const HelpArticlesPage = () => (
  <DocsPage name="help-articles">
    <Write />
    <Publish />
    <Visibility />
    <Suggestions />
    <InTickets />
    <DocsSection title="Figures">
      <p>
        The{' '}
        <Link to="/analytics" className={docsLink}>
          analytics page
        </Link>{' '}
        shows how your help pages are used. Views and searches are stored as counts per day, without anything about the reader.
      </p>
      <DocsTable caption="Figures of help articles" isCode={false} head={['Figure', 'Meaning']} rows={figures} />
    </DocsSection>
  </DocsPage>
);
