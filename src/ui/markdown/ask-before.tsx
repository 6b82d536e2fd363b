import { useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Modal } from '../modal.tsx';
import type { LinkDoubt, LinkFacts } from './link-facts.ts';

const reasons: Record<LinkDoubt, (host: string) => string> = {
  user: (host) => `The part before the @ is not the site. The link leads to ${host}.`,
  letters: (host) => `The name of this site has letters that can pass for others. Its real name is ${host}.`,
  other: (host) => `The text of the link names another site. It leads to ${host}.`,
  network: (host) => `${host} is a number or a name in a private network, not a public site.`,
  long: (host) => `The address carries a long text to ${host}. That may be something from this page.`,
  mail: () => 'This starts an email with recipients or text that you didn’t write.',
};

interface QuestionProps {
  facts: LinkFacts;
  onClose: () => void;
}

function Question({ facts: { href, host, doubts }, onClose }: QuestionProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Modal title="Open this link?" first={cancel} onClose={onClose}>
      {(close) => (
        <>
          <div className="dialog-body leave">
            {doubts.map((doubt) => (
              <p key={doubt}>{reasons[doubt](host)}</p>
            ))}
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
            <section className="leave-address" aria-label="Full address" dir="ltr" tabIndex={0}>
              {href}
            </section>
          </div>
          <div className="dialog-foot">
            <a
              className="btn btn-secondary"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={close}
            >
              Open
            </a>
            <button ref={cancel} type="button" className="btn btn-primary" onClick={close}>
              Cancel
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}

/** Shows where a link leads before it opens, in a tree of its own: a press in it is none on the text below. */
export function askBefore(facts: LinkFacts): void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const end = () => {
    root.unmount();
    place.remove();
  };
  root.render(<Question facts={facts} onClose={() => queueMicrotask(end)} />);
}
