import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Field } from '#ui/field.tsx';
import { type BlogQuery, blogSearchLength, sectionKey, sectionNames, sections } from '../contract.ts';

export function BlogSearch({ query: { q, section } }: { query: BlogQuery }) {
  return (
    <search>
      <form className="flex flex-wrap gap-2 items-end" action="/blog" method="get">
        <Field
          id="blog-q"
          label={<span className="visually-hidden">{m.blog_search()}</span>}
          className="flex-[1_1_12rem] max-md:flex-[1_0_100%]"
        >
          {(control) => (
            <input
              className="input"
              {...control}
              type="search"
              name="q"
              maxLength={blogSearchLength}
              defaultValue={q}
              enterKeyHint="search"
              placeholder={m.blog_search()}
            />
          )}
        </Field>
        <Field
          id="blog-category"
          label={<span className="visually-hidden">{m.common_category()}</span>}
          className="flex-[0_1_11rem] max-md:flex-[1_1_8rem]"
        >
          {(control) => (
            <select
              className="select"
              {...control}
              name="category"
              defaultValue={section ? sectionKey(section) : ''}
            >
              <option value="">{m.blog_all_categories()}</option>
              {sections.map((each) => (
                <option key={each} value={sectionKey(each)}>
                  {sectionNames[each]()}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button type="submit" variant="primary" size="lg">
          {m.common_search()}
        </Button>
        {q === '' && section === null ? null : (
          <Button variant="ghost" size="lg" href="/blog">
            {m.blog_clear()}
          </Button>
        )}
      </form>
    </search>
  );
}
