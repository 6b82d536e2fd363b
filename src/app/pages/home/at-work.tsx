import type { ReactNode } from 'react';
import { Screen, type ScreenName } from './screen.tsx';

interface WorkProps {
  name: ScreenName;
  alt: string;
  title: string;
  link: { path: string; text: string };
  children: ReactNode;
}

function Work({ name, alt, title, link, children }: WorkProps) {
  return (
    <figure className="home-work" data-work={name}>
      <Screen name={name} alt={alt} />
      <figcaption>
        <h3 className="h3">{title}</h3>
        <p className="muted">
          {children}{' '}
          <a className="link" href={link.path}>
            {link.text}
          </a>
        </p>
      </figcaption>
    </figure>
  );
}

/** Three tools, each seen while it does what tells it apart. */
export function AtWork() {
  return (
    <section className="home-section" aria-labelledby="at-work-title">
      <h2 className="h2" id="at-work-title">
        At work
      </h2>
      <div className="home-works">
        <Work
          name="pdf"
          alt="The PDF Analyzer: statements about a lease with the words they rest on and page numbers; on the right page 2 of the lease, the quoted sentence highlighted."
          title="Every statement shows where it stands"
          link={{ path: '/tools/pdf', text: 'Open the PDF Analyzer' }}
        >
          Quoted words are looked up in the document before you see them. Press a page number, and the page
          opens with the passage marked.
        </Work>
        <Work
          name="writer"
          alt="The AI Writer: a highlighted paragraph of a blog post, below it a shorter version with the words that go struck through, and the buttons Accept and Discard."
          title="See a change before you take it"
          link={{ path: '/tools/writer', text: 'Open the AI Writer' }}
        >
          Have a passage shortened, expanded or corrected. What would go and what would come is shown word by
          word; nothing changes until you accept.
        </Work>
        <Work
          name="script"
          alt="The Script Generator: a scene on a ferry bridge at night, set as a screenplay with scene heading, action and dialogue."
          title="A scene, set as a screenplay"
          link={{ path: '/tools/script', text: 'Open the Script Generator' }}
        >
          Say what happens; get scene headings, action and dialogue in the form that production reads.
        </Work>
      </div>
      <p className="fine mt-6">Pictures of the product itself, with people and texts made up for them.</p>
    </section>
  );
}
