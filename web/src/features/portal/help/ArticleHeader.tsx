interface ArticleHeaderProps {
  title: string;
  dates: string;
  lang?: string;
  dir?: string;
}

export const ArticleHeader = ({ title, dates, lang, dir }: ArticleHeaderProps) => (
  <header className="mb-6 [overflow-wrap:anywhere]">
    <h1 lang={lang} dir={dir} className="text-xl font-semibold tracking-tight sm:text-2xl">
      {title}
    </h1>
    <p className="mt-2 text-md text-muted">{dates}</p>
  </header>
);
