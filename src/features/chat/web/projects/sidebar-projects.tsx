import { Ellipsis, Folder, FolderOpen, FolderPlus, Plus, Settings2, Trash2 } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { showError } from '#client/show-error.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { IconButton } from '#ui/icon-button.tsx';
import type { ChatPage, ChatRow } from '../../contract.ts';
import type { ProjectRow } from '../../projects/projects-contract.ts';
import { PopupItem, PopupMenu } from '../sidebar/popup-menu.tsx';
import type { Navigate } from '../sidebar/use-drawer.ts';
import type { ChatControls } from '../state/chat-controls.ts';
import type { OpenChat } from '../state/chat-state.ts';
import { deleteProject, fetchProjectChats } from './project-requests.ts';

/** Projects that are shown until the person expands the list. */
const INITIAL_COUNT = 6;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

type Page = Omit<ChatPage, 'projects'>;

/** Reloads the chats whenever something in the project is known to have changed. */
function useProjectChats({ id, chats: count }: ProjectRow, listedChats: ChatRow[]) {
  const [page, setPage] = useState<Page | null>(null);
  const rows = listedChats.filter((row) => row.projectId === id);
  const state = [count, ...rows.map((row) => `${row.id} ${row.title} ${row.updatedAt}`)].join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads when the state of the project changes
  useEffect(() => {
    let cancelled = false;
    fetchProjectChats(id, null).then((first) => cancelled || setPage(first), showError);
    return () => {
      cancelled = true;
    };
  }, [id, state]);
  const more = () =>
    fetchProjectChats(id, page?.next ?? null).then(
      ({ chats, next }) => setPage((now) => ({ chats: [...(now?.chats ?? []), ...chats], next })),
      showError,
    );
  return { page, more };
}

interface ListProps {
  chats: ChatRow[];
  open: OpenChat;
  onNavigate: Navigate;
}

function ProjectChats({ project, chats, open, onNavigate }: ListProps & { project: ProjectRow }) {
  const { page, more } = useProjectChats(project, chats);
  const newChatUrl = `/chat/new?project=${project.id}`;
  return (
    <div className="ps-4" aria-busy={page === null}>
      <Link
        className="nav-item flex items-center gap-2"
        to={newChatUrl}
        aria-label={m.project_new_chat({ name: project.name })}
        onClick={(event) => onNavigate(event, newChatUrl)}
      >
        <Plus {...icon} />
        {m.chat_new()}
      </Link>
      {page?.chats.length === 0 ? (
        <p className="muted px-2.5 py-1 text-xs">{m.project_chats_empty()}</p>
      ) : (
        <ul aria-label={project.name}>
          {page?.chats.map(({ id, title }) => (
            <li key={id} className="chat-row">
              <Link
                className="nav-item truncate"
                to={`/chat/${id}`}
                dir="auto"
                aria-current={open.stored && open.id === id ? 'page' : undefined}
                onClick={(event) => onNavigate(event, `/chat/${id}`)}
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {page?.next ? (
        <Button variant="ghost" onClick={() => void more()}>
          {m.common_show_more()}
        </Button>
      ) : null}
    </div>
  );
}

interface ProjectItemProps extends ListProps {
  project: ProjectRow;
  menuOpen: boolean;
  onMenu: (button: HTMLElement) => void;
}

function ProjectItem({ project, menuOpen, onMenu, ...list }: ProjectItemProps) {
  const [opened, setOpened] = useState(list.open.project?.id === project.id);
  const Icon = opened ? FolderOpen : Folder;
  return (
    <li>
      <div className="chat-row">
        <button
          type="button"
          className="nav-item flex w-full items-center gap-2 text-start"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Icon {...icon} className="shrink-0" />
          <span className="min-w-0 flex-1 truncate" dir="auto">
            {project.name}
          </span>
        </button>
        <IconButton
          Icon={Ellipsis}
          label={m.project_options({ name: project.name })}
          className="chat-row-more"
          aria-haspopup="menu"
          aria-expanded={menuOpen}
          onClick={(event) => onMenu(event.currentTarget)}
        />
      </div>
      {opened ? <ProjectChats project={project} {...list} /> : null}
    </li>
  );
}

interface SidebarProjectsProps extends ListProps {
  projects: ProjectRow[];
  controls: ChatControls;
}

/** The focused project may disappear, and with the last one the whole list. */
function useFocusAfterDeletion(projects: ProjectRow[]) {
  const box = useRef<HTMLElement>(null);
  const deletedId = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (deletedId.current === null || projects.some(({ id }) => id === deletedId.current)) return;
    deletedId.current = null;
    if (document.activeElement === document.body) box.current?.querySelector<HTMLElement>('button')?.focus();
  }, [projects]);
  useEffect(
    () => () => {
      if (deletedId.current !== null)
        document
          .querySelector<HTMLElement>('.chat-side-lists [aria-haspopup]')
          ?.focus({ preventScroll: true });
    },
    [],
  );
  return { box, deletedId };
}

export default function SidebarProjects({ projects, controls, ...list }: SidebarProjectsProps) {
  const [showAll, setShowAll] = useState(false);
  const [menu, setMenu] = useState<{ id: string; button: HTMLElement; opened: number } | null>(null);
  const { box, deletedId } = useFocusAfterDeletion(projects);
  const shown = showAll ? projects : projects.slice(0, INITIAL_COUNT);
  const chosen = menu && projects.find(({ id }) => id === menu.id);
  const remove = async (project: ProjectRow) => {
    deletedId.current = project.id;
    if (!(await deleteProject(project))) deletedId.current = null;
  };
  return (
    <nav ref={box} className="chat-projects border-b border-line pb-2" aria-label={m.projects_title()}>
      <div className="flex items-center justify-between">
        <h2 className="eyebrow px-2.5 pt-1">{m.projects_title()}</h2>
        <IconButton
          Icon={FolderPlus}
          label={m.project_new()}
          title={m.project_new()}
          onClick={() => controls.show({ kind: 'project', id: null })}
        />
      </div>
      <ul>
        {shown.map((project) => (
          <ProjectItem
            key={project.id}
            project={project}
            menuOpen={chosen?.id === project.id}
            onMenu={(button) =>
              setMenu((now) => ({ id: project.id, button, opened: (now?.opened ?? 0) + 1 }))
            }
            {...list}
          />
        ))}
      </ul>
      {shown.length < projects.length ? (
        <Button variant="ghost" onClick={() => setShowAll(true)}>
          {m.common_show_more()}
        </Button>
      ) : null}
      {chosen ? (
        <PopupMenu
          key={`${chosen.id} ${menu.opened}`}
          label={m.project_options({ name: chosen.name })}
          button={menu.button}
          opened={menu.opened}
          onClose={(opened) => setMenu((now) => (now?.opened === opened ? null : now))}
        >
          <PopupItem
            Icon={Settings2}
            name={m.project_settings()}
            onChoose={() => controls.show({ kind: 'project', id: chosen.id })}
          />
          <PopupItem Icon={Trash2} name={m.common_delete()} onChoose={() => void remove(chosen)} />
        </PopupMenu>
      ) : null}
    </nav>
  );
}
