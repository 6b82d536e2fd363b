import { type CaseTool, useCases } from './cases.ts';

/** Where one goes from here, in a line. */
export function ToolLinks({ tools }: { tools: readonly CaseTool[] }) {
  return (
    <ul className="case-tools">
      {tools.map(({ name, path }) => (
        <li key={path}>
          <a className="link" href={path}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The six jobs: what goes in, what comes out, and what is left to the reader. */
export function CaseList() {
  return (
    <ol className="case-list">
      {useCases.map(({ id, title, description, brings, benefits, check, tools }) => (
        <li key={id}>
          <article className="page-columns" id={id} aria-labelledby={`${id}-title`}>
            <div className="case-head">
              <h2 className="h3" id={`${id}-title`}>
                {title}
              </h2>
              <ToolLinks tools={tools} />
            </div>
            <div>
              <p className="case-lead">{description}</p>
              <dl className="case-sheet">
                <div>
                  <dt>You bring</dt>
                  <dd>{brings}</dd>
                </div>
                <div>
                  <dt>You get</dt>
                  {benefits.map((benefit) => (
                    <dd key={benefit}>{benefit}</dd>
                  ))}
                </div>
                <div>
                  <dt>
                    <span className="mark">You check</span>
                  </dt>
                  <dd>{check}</dd>
                </div>
              </dl>
            </div>
          </article>
        </li>
      ))}
    </ol>
  );
}
