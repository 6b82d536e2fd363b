import {
  BookMarked,
  Clapperboard,
  FileSearch,
  Image,
  type LucideIcon,
  MessageSquare,
  PenLine,
  Wrench,
} from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { type Feature, features, featureTable } from '#features/credits/contract.ts';
import { m } from '#messages';

export const toolIcons: Partial<Record<Feature, LucideIcon>> = {
  chat: MessageSquare,
  writer: PenLine,
  script: Clapperboard,
  image: Image,
  pdf: FileSearch,
  prompts: BookMarked,
};

const toolPages = () =>
  features.flatMap((feature) => {
    const { page, name, offered } = featureTable[feature];
    return page && offered ? [{ page, name, Icon: toolIcons[feature] ?? Wrench }] : [];
  });

export function ToolRail() {
  const { pathname } = useLocation();
  return (
    <nav
      className="hidden border-e border-line bg-sunken lg:row-span-full lg:block print:hidden"
      aria-label={m.tools_rail()}
    >
      <ul className="sticky top-0 grid justify-items-center gap-0.5 py-3">
        {toolPages().map(({ page, name, Icon }) => {
          const isCurrent = pathname === page || pathname.startsWith(`${page}/`);
          return (
            <li key={page}>
              <Link
                className={`grid size-10 place-items-center rounded-sm ${isCurrent ? 'border border-line-strong bg-surface text-fg' : 'text-fg-muted hover:bg-bg hover:text-fg'}`}
                to={page}
                aria-label={name}
                aria-current={isCurrent ? 'page' : undefined}
                title={name}
              >
                <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
