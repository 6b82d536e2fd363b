import { ToolLinks } from './case-list.tsx';
import { industries } from './cases.ts';

/** Six fields of work with their first task, and the guide that goes on from it. */
export function IndustryList() {
  return (
    <section className="page-section" id="industries" aria-labelledby="industries-title">
      <h2 className="h2" id="industries-title">
        By field of work
      </h2>
      <ul className="industry-list">
        {industries.map(({ name, description, guide, tools }) => (
          <li key={guide}>
            <h3 className="h3">{name}</h3>
            <div>
              <p>{description}</p>
              <a className="link text-sm" href={`/blog/gpt-5-industry-guides#${guide}`}>
                The rule and the check<span className="visually-hidden">: {name}</span>
              </a>
            </div>
            <ToolLinks tools={tools} />
          </li>
        ))}
      </ul>
    </section>
  );
}
