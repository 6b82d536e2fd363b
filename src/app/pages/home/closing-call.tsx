import { welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

export function ClosingCall() {
  return (
    <section
      className="mt-24 -mb-24 max-md:mt-16 max-md:-mb-16 bg-primary text-on-primary dark:bg-raised dark:text-fg print:hidden"
      aria-labelledby="closing-title"
    >
      <div className="wrap grid grid-cols-2 gap-x-16 gap-y-6 items-center py-16 max-md:grid-cols-1 max-md:py-12">
        <h2 className="h1" id="closing-title">
          {m.home_closing_title()}
        </h2>
        <div>
          <form
            className="flex gap-2 p-2 rounded-lg bg-surface text-fg has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-3"
            data-tool-box=""
            action="/chat/new"
          >
            <label className="visually-hidden" htmlFor="closing-text">
              {m.home_closing_label()}
            </label>
            <input
              className="flex-1 min-w-0 px-3 outline-none placeholder:text-fg-subtle"
              id="closing-text"
              type="text"
              name="text"
              placeholder={m.home_closing_placeholder()}
              autoComplete="off"
            />
            <Button variant="primary" type="submit" size="lg" data-form="chat">
              {m.home_start_chat()}
            </Button>
          </form>
          <p className="mt-2.5 text-xs">{m.home_closing_note({ count: welcomeCredits() })}</p>
        </div>
      </div>
    </section>
  );
}
