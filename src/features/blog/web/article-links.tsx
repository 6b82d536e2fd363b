import { m } from '#messages';
import { type Article, articlePath, minutesFor, sectionNames } from '../contract.ts';

interface ArticleLinksProps {
  articles: Pick<Article, 'slug' | 'title' | 'section' | 'words'>[];
  className?: string;
}

export function ArticleLinks({ articles, className = '' }: ArticleLinksProps) {
  return (
    <ul className={`grid gap-x-10 gap-y-6 ${className}`.trim()}>
      {articles.map((article) => (
        <li key={article.slug} className="relative grid content-start gap-2 border-t border-fg pt-4">
          <p className="flex gap-3 text-xs text-fg-muted">
            <span className="font-semibold text-fg">{sectionNames[article.section]()}</span>
            {m.common_read_time({ count: minutesFor(article.words) })}
          </p>
          <h3 className="h3">
            <a
              className="after:absolute after:inset-0 hover:underline hover:underline-offset-[0.18em]"
              href={articlePath(article)}
              lang="en"
            >
              {article.title}
            </a>
          </h3>
        </li>
      ))}
    </ul>
  );
}
