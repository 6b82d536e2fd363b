import { m } from '#messages';
import { ToolLinks } from './case-list.tsx';
import { industries } from './use-cases.ts';

export function IndustryList() {
  return (
    <section className="pt-24 max-md:pt-16" id="industries" aria-labelledby="industries-title">
      <h2 className="h2 mb-6" id="industries-title">
        {m.use_cases_fields()}
      </h2>
      <ul className="border-t border-fg">
        {industries.map(({ name, description, guide, tools }) => (
          <li
            className="grid grid-cols-[16rem_minmax(0,1fr)_15rem] gap-6 items-baseline py-4.5 border-b border-line max-lg:grid-cols-1 max-lg:gap-1"
            key={guide}
          >
            <h3 className="h3">{name()}</h3>
            <div>
              <p>{description()}</p>
              <a
                className="link text-sm inline-block py-1 pointer-coarse:py-3"
                href={`/blog/gpt-5-industry-guides#${guide}`}
                aria-label={m.use_cases_guide_named({ field: name() })}
              >
                {m.use_cases_guide()}
              </a>
            </div>
            <ToolLinks tools={tools} />
          </li>
        ))}
      </ul>
    </section>
  );
}
