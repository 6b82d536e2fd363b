import { m } from '#messages';
import { pageTitle } from '#shared/page-title.ts';
import { Button } from '#ui/button.tsx';
import { MessagePage } from '../parts/message-page.tsx';

export function NotFoundView() {
  return (
    <MessagePage data-no-return="">
      <title>{pageTitle(m.not_found_title())}</title>
      <h1 className="display -mt-4 max-w-[18ch]">
        <span className="mark">404</span>
      </h1>
      <p className="lead max-w-[48ch]">{m.not_found_text()}</p>
      <div className="row">
        <Button variant="primary" size="lg" href="/">
          {m.common_return_home()}
        </Button>
        <Button size="lg" href="/chat">
          {m.common_open_chat()}
        </Button>
      </div>
    </MessagePage>
  );
}
