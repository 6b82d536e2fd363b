import { Folder, type LucideIcon, MessageSquare, Tag } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#messages';
import { type LibraryItem, type LibraryQuery, pathOf } from '../contract.ts';

interface MarkProps {
  Icon: LucideIcon;
  text: string;
  name?: string | undefined;
  /** Null while items are being selected; then it is not a link. */
  to: string | null;
}

function Mark({ Icon, text, name, to }: MarkProps) {
  const content = (
    <>
      <Icon className="shrink-0" size={12} strokeWidth={1.75} aria-hidden="true" />
      <bdi className="truncate">{text}</bdi>
    </>
  );
  const classes = 'inline-flex max-w-full min-w-0 items-center gap-1.5 text-xs';
  return to === null ? (
    <span className={`${classes} text-fg-muted`} title={name}>
      {content}
    </span>
  ) : (
    <Link className={`link ${classes} pointer-coarse:py-3`} to={to} aria-label={name} title={name}>
      {content}
    </Link>
  );
}

interface ItemMarksProps {
  item: LibraryItem;
  query: LibraryQuery;
  selecting: boolean;
  className?: string;
}

/** The chat a file was sent in, the project of an item, and its tags. */
export function ItemMarks({ item, query, selecting, className = '' }: ItemMarksProps) {
  const { file, path, projectId, projectName, tags } = item;
  if (file?.chat == null && projectId === null && tags.length === 0) return null;
  const linkTo = (target: string) => (selecting ? null : target);
  return (
    <div className={`flex flex-wrap gap-x-4 gap-y-1 ${className}`}>
      {file?.chat == null ? null : (
        <Mark Icon={MessageSquare} text={m.library_file_chat({ title: file.chat })} to={linkTo(path)} />
      )}
      {projectId === null || projectName === null ? null : (
        <Mark
          Icon={Folder}
          text={projectName}
          name={m.library_project_is({ name: projectName })}
          to={linkTo(pathOf(query, { project: projectId }))}
        />
      )}
      {tags.map(({ id, name }) => (
        <Mark
          key={id}
          Icon={Tag}
          text={name}
          name={m.library_tag_is({ name })}
          to={linkTo(pathOf(query, { tag: id }))}
        />
      ))}
    </div>
  );
}
