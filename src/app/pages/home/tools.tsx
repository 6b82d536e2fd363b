import { featureTable } from '../../../features/credits/contract.ts';

/** What a tool costs, in the words of the specification where the plan table agrees with them. */
function costOf(feature: 'pdf' | 'prompts'): string {
  const { free, price } = featureTable[feature];
  if (!free) return 'Included in Pro';
  return price === 0 ? 'Free to use' : `${price} credits per use`;
}

interface Tool {
  name: string;
  about: string;
  cost: string;
  path: string;
  featured?: boolean;
}

const tools: Tool[] = [
  {
    name: 'AI Writing Assistant',
    about: 'Drafts, rewrites and replies in your tone, revised in the same thread until they fit.',
    cost: 'Included in chat',
    path: '/chat/new?assistant=writer',
  },
  {
    name: 'PDF Document Analyzer',
    about: 'A summary, questions with answers and keywords, each with the page that it comes from.',
    cost: costOf('pdf'),
    path: '/tools/pdf',
    featured: true,
  },
  {
    name: 'Prompt Lab',
    about: 'Prompts for writing, programming, images and marketing, ready to fill in and send.',
    cost: costOf('prompts'),
    path: '/tools/prompts',
  },
];

/** The three tools of the home page as the rows of an index. */
export function Tools() {
  return (
    <section className="home-section" id="tools" aria-labelledby="tools-title">
      <h2 className="h2" id="tools-title">
        Tools
      </h2>
      <ol className="tool-index">
        {tools.map(({ name, about, cost, path, featured }, at) => (
          <li key={name}>
            <span className="tool-number" aria-hidden="true">
              {String(at + 1).padStart(2, '0')}
            </span>
            <h3 className="h3">
              <a href={path}>{name}</a>
            </h3>
            <p className="muted">{about}</p>
            <p className="tool-cost">
              {featured ? <span className="mark">{cost}</span> : cost}
              {featured ? <span className="visually-hidden">, featured</span> : null}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}
