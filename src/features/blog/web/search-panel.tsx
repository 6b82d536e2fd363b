import { type BlogQuery, blogSearchLength, sectionKey, sections } from '../contract.ts';

/** Search and category, which the address holds: a form that needs no script. */
export function SearchPanel({ query: { q, section } }: { query: BlogQuery }) {
  return (
    <search>
      <form className="blog-search" action="/blog" method="get">
        <div className="field">
          <label className="label" htmlFor="blog-q">
            Search articles
          </label>
          <input
            className="input"
            id="blog-q"
            type="search"
            name="q"
            maxLength={blogSearchLength}
            defaultValue={q}
            enterKeyHint="search"
          />
        </div>
        <div className="field">
          <label className="label" htmlFor="blog-category">
            Category
          </label>
          <select
            className="select"
            id="blog-category"
            name="category"
            defaultValue={section ? sectionKey(section) : ''}
          >
            <option value="">All categories</option>
            {sections.map((each) => (
              <option key={each} value={sectionKey(each)}>
                {each}
              </option>
            ))}
          </select>
        </div>
        <button type="submit" className="btn btn-primary btn-lg">
          Search
        </button>
        {q === '' && section === null ? null : (
          <a className="btn btn-ghost btn-lg" href="/blog">
            Clear
          </a>
        )}
      </form>
    </search>
  );
}
