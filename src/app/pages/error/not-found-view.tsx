import { m } from '#messages';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';

export function NotFoundView() {
  return (
    <main
      data-no-return=""
      id="main"
      className="wrap message-page grid content-start justify-items-start gap-6 pt-24 pb-12 max-md:pt-12 max-md:pb-8"
    >
      <title>{pageTitle(m.not_found_title())}</title>
      <h1 className="display -mt-4 max-w-[18ch]">
        <span className="mark">404</span>
      </h1>
      <p className="lead max-w-[48ch]">{m.not_found_text()}</p>
      <div className="row">
        <Button look="primary" size="lg" href="/">
          {m.common_return_home()}
        </Button>
        <Button size="lg" href="/chat">
          {m.common_open_chat()}
        </Button>
      </div>
    </main>
  );
}
