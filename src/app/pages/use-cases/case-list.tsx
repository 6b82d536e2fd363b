import { m } from '#messages';
import { isOffered } from '../../shell/site-pages.ts';
import { type CaseTool, useCases } from './use-cases.ts';

export function ToolLinks({ tools }: { tools: readonly CaseTool[] }) {
  return (
    <ul className="case-tools flex flex-wrap gap-y-0 gap-x-4 text-sm">
      {tools
        .filter(({ path }) => isOffered(path.replace(/\?.*/, '')))
        .map(({ name, path }) => (
          <li key={path}>
            <a className="link inline-block py-1 pointer-coarse:py-3" href={path}>
              {name()}
            </a>
          </li>
        ))}
    </ul>
  );
}

export function CaseList() {
  return (
    <ol className="case-list border-t border-fg">
      {useCases
        .filter(({ tools: [first] }) => isOffered(first.path))
        .map(({ id, title, description, input, benefits, check, tools }) => (
          <li className="py-8 border-b border-line last:border-b-0" key={id}>
            <article
              className="max-md:grid max-md:gap-4 md:grid md:grid-cols-[16rem_minmax(0,1fr)] md:gap-6 md:items-start"
              id={id}
              aria-labelledby={`${id}-title`}
            >
              <div className="grid gap-2">
                <h2 className="h3" id={`${id}-title`}>
                  {title()}
                </h2>
                <ToolLinks tools={tools} />
              </div>
              <div>
                <p className="max-w-[34ch] mb-5 text-xl tracking-[-0.01em] text-balance">{description()}</p>
                <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)_minmax(0,1fr)] text-sm/5.5 max-lg:grid-cols-1 max-lg:gap-4 print:break-inside-avoid">
                  <div className="px-5 border-s border-line max-lg:ps-4 max-lg:pe-0 lg:first:ps-0 lg:first:border-s-0 lg:last:pe-0">
                    <dt className="mb-1 font-semibold">{m.use_cases_you_bring()}</dt>
                    <dd className="text-fg-muted [dd+&]:mt-1">{input()}</dd>
                  </div>
                  <div className="px-5 border-s border-line max-lg:ps-4 max-lg:pe-0 lg:first:ps-0 lg:first:border-s-0 lg:last:pe-0">
                    <dt className="mb-1 font-semibold">{m.use_cases_you_get()}</dt>
                    {benefits.map((benefit) => (
                      <dd className="text-fg-muted [dd+&]:mt-1" key={benefit()}>
                        {benefit()}
                      </dd>
                    ))}
                  </div>
                  <div className="px-5 border-s border-line max-lg:ps-4 max-lg:pe-0 lg:first:ps-0 lg:first:border-s-0 lg:last:pe-0">
                    <dt className="mb-1 font-semibold">{m.use_cases_you_check()}</dt>
                    <dd className="text-fg-muted [dd+&]:mt-1">{check()}</dd>
                  </div>
                </dl>
              </div>
            </article>
          </li>
        ))}
    </ol>
  );
}
