import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { ToolBoxSamples } from './tool-box-samples.tsx';
import { type ToolBoxTool, toolBoxTools } from './tool-box-tools.ts';

/** Tabs as radio buttons, which work without scripts: home.css shows the elements of the selected one (`data-on`). */
function ToolTabs({ tools }: { tools: readonly ToolBoxTool[] }) {
  return (
    <fieldset className="flex px-3 border-b border-line max-md:grid max-md:grid-cols-3 max-md:gap-0.5 max-md:p-1.5">
      <legend className="visually-hidden">{m.home_tabs()}</legend>
      {tools.map(({ id, tab }, at) => (
        <label
          key={id}
          className="relative flex items-center justify-center min-h-12 px-3.5 max-md:min-h-11 max-md:px-1 text-sm text-center text-fg-muted cursor-pointer hover:text-fg has-checked:text-fg has-checked:font-semibold has-checked:shadow-[inset_0_-2px_0] max-md:has-checked:bg-sunken max-md:rounded-sm has-focus-visible:outline-2 has-focus-visible:-outline-offset-4 has-focus-visible:outline-ring forced-colors:has-checked:underline"
        >
          <input
            className="absolute inset-0 opacity-0 cursor-pointer"
            type="radio"
            name="home-tool"
            id={`tool-${id}`}
            defaultChecked={at === 0}
          />
          {tab()}
        </label>
      ))}
    </fieldset>
  );
}

/** The enhancement module passes the text to the tool's form through storage; without scripts it is sent in the URL. */
export function ToolBox() {
  const tools = toolBoxTools();
  return (
    <div className="stage group/stage rounded-lg border border-line-strong bg-sunken shadow-[var(--shadow-3)] has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:outline-offset-2 has-[textarea:focus-visible]:outline-ring">
      <div className="rounded-t-lg border-b border-line bg-surface">
        <ToolTabs tools={tools} />
        <form data-tool-box="" action="/chat/new">
          <div className="relative grid text-lg leading-normal">
            <label className="visually-hidden" htmlFor="tool-text">
              {m.home_box_label()}
            </label>
            <textarea
              className="peer col-start-1 row-start-1 min-h-17 max-h-60 pt-4.5 pb-1.5 px-5 max-md:px-4 resize-none field-sizing-content outline-none"
              id="tool-text"
              name="text"
              rows={2}
              placeholder=" "
              autoComplete="off"
            />
            <span
              className="col-start-1 row-start-1 pt-4.5 pb-1.5 px-5 max-md:px-4 text-fg-subtle pointer-events-none not-peer-placeholder-shown:invisible"
              aria-hidden="true"
            >
              {tools.map(({ id, placeholder }) => (
                <span key={id} data-on={id}>
                  {placeholder()}
                </span>
              ))}
            </span>
          </div>
          <div className="flex items-center justify-between gap-3 pt-2 pb-3 ps-5 pe-3 max-md:ps-4">
            <p className="fine">
              {tools.map(({ id, cost }) => (
                <span key={id} data-on={id}>
                  {cost}
                </span>
              ))}
            </p>
            {tools.map(({ id, start, path, form }) => (
              <span key={id} data-on={id}>
                <Button variant="primary" size="lg" type="submit" formAction={path} data-form={form}>
                  {start()}
                </Button>
              </span>
            ))}
          </div>
        </form>
      </div>
      <ToolBoxSamples />
    </div>
  );
}
