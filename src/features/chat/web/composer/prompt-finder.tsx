import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useState,
} from 'react';
import { request } from '#client/api-request.ts';
import { formatCredits } from '#features/credits/contract.ts';
import { canUse, priceFor } from '#features/credits/web/price-label.ts';
import type { Prompt, PromptPage } from '#features/prompts/contract.ts';
import { m } from '#messages';
import { parsePrompt } from '#shared/parse-prompt.ts';
import type { ChatProps } from '../state/chat-controls.ts';
import { offersImages, startDrawing } from './start-drawing.ts';

const DEBOUNCE_MS = 200;
const MAX_PROMPTS = 5;
const MAX_OWN = 3;

export interface FinderHandle {
  onKey: (event: KeyboardEvent) => boolean;
}

interface PromptFinderProps extends ChatProps {
  ref: Ref<FinderHandle>;
  words: string;
  box: RefObject<HTMLTextAreaElement | null>;
  onPick: (text: string) => void;
  onClose: () => void;
}

interface Found {
  prompts: Prompt[];
  total: number;
}

interface Answer {
  words: string;
  found: Found | null;
}

/** The person's own prompts come first, even if the library has them too. */
async function findPrompts(words: string, isGuest: boolean, signal: AbortSignal): Promise<Found> {
  const path = `/api/prompts?q=${encodeURIComponent(words.trim())}`;
  const [library, own] = await Promise.all([
    request<PromptPage>(path, { signal }),
    isGuest ? null : request<PromptPage>(`${path}&sort=mine`, { signal }),
  ]);
  const ownPrompts = own?.prompts ?? [];
  const unpublished = ownPrompts.filter((prompt) => prompt.own?.state !== 'approved').length;
  return {
    prompts: [...ownPrompts.slice(0, MAX_OWN), ...library.prompts.filter((prompt) => !prompt.own)].slice(
      0,
      MAX_PROMPTS,
    ),
    total: library.total + unpublished,
  };
}

/** @param words null: no search */
function useSearch(words: string | null, isGuest: boolean): Answer | null {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    if (words === null) return setAnswer(null);
    const controller = new AbortController();
    const timer = setTimeout(() => {
      findPrompts(words, isGuest, controller.signal).then(
        (found) => setAnswer({ words, found }),
        // Ignore the error: the slash is then ordinary text.
        () => controller.signal.aborted || setAnswer({ words, found: null }),
      );
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words, isGuest]);
  return answer;
}

const formPath = ({ slug }: Prompt, chatId: string | null) =>
  `/tools/prompts/${slug}?use=1${chatId === null ? '' : `&chat=${chatId}`}`;

const hasBlanks = ({ content }: Prompt) => parsePrompt(content).some((part) => 'variable' in part);

const countText = ({ total }: Found) => m.chat_prompts_found({ total });

/** Returns the text after `/draw`, empty while the command is incomplete; null for other words. */
function imageCommand(words: string): string | null {
  const [, verb = '', rest = ''] = /^(\S*)\s*(.*)$/s.exec(words) ?? [];
  const names = ['draw', m.chat_draw_command()];
  const typed = verb.toLowerCase();
  return names.some((name) => (rest === '' ? name.startsWith(typed) : name === typed)) ? rest : null;
}

/** Matches `/remember` or its beginning; with text after it, sending stores that text. */
const isRememberCommand = (words: string) => 'remember'.startsWith(words.trim().toLowerCase());

type Command = 'draw' | 'remember';
type Option = Prompt | Command;

const isCommand = (option: Option | undefined): option is Command => typeof option === 'string';

/** Shown while a search is running. */
const nothing: Found = { prompts: [], total: 0 };

type Me = ChatProps['state']['me'];

function imageDescription(me: Me): string {
  if (!canUse(me, 'image')) return m.chat_prompt_in_pro();
  const price = priceFor(me, 'image');
  return price === null ? m.tool_image() : formatCredits(price);
}

const commands: Record<Command, { name: () => string; hint: () => string; describe: (me: Me) => string }> = {
  draw: { name: m.chat_draw, hint: m.chat_draw_enter, describe: imageDescription },
  remember: { name: m.chat_remember_new, hint: m.chat_remember_enter, describe: () => '/remember' },
};

function promptDescription({ own, isLocked, description }: Prompt): string {
  if (isLocked) return m.chat_prompt_in_pro();
  return [...(own ? [m.prompts_yours()] : []), ...(description === '' ? [] : [description])].join(' · ');
}

function useListboxAttributes(
  box: RefObject<HTMLTextAreaElement | null>,
  list: string,
  active: string | null,
) {
  useEffect(() => {
    const input = box.current;
    input?.setAttribute('aria-controls', list);
    if (active === null) input?.removeAttribute('aria-activedescendant');
    else input?.setAttribute('aria-activedescendant', active);
    return () => {
      input?.removeAttribute('aria-controls');
      input?.removeAttribute('aria-activedescendant');
    };
  }, [box, list, active]);
}

export default function PromptFinder(props: PromptFinderProps) {
  const { ref, words, box, onPick, onClose, state, controls } = props;
  const { me, open } = state;
  const id = useId();
  const rest = offersImages(state) ? imageCommand(words) : null;
  const answer = useSearch(rest ? null : words, me === null);
  const [active, setActive] = useState(0);
  const isCurrent = answer?.words === words;
  const prompts = answer?.found?.prompts ?? [];
  const offered: Command[] = [
    ...(rest === null ? [] : (['draw'] as const)),
    ...(me && isRememberCommand(words) ? (['remember'] as const) : []),
  ];
  // Commands come before the prompts once something is typed, otherwise after them.
  const options: Option[] = words.length > 1 ? [...offered, ...prompts] : [...prompts, ...offered];
  const at = Math.min(active, options.length - 1);
  const optionId = (index: number) => `${id}-${index}`;
  useListboxAttributes(box, id, at < 0 ? null : optionId(at));

  const choose = (prompt: Option | undefined) => {
    if (prompt === 'draw') {
      startDrawing({ state, controls });
      return onPick(rest ?? '');
    }
    if (prompt === 'remember') {
      onPick('');
      return controls.show({ kind: 'remember', text: '' });
    }
    if (!prompt) return;
    if (!prompt.isLocked && !hasBlanks(prompt)) return onPick(prompt.content);
    if (me && !prompt.isLocked && prompt.opensIn === 'chat') {
      onClose();
      return controls.show({ kind: 'fill-in', prompt, onText: onPick });
    }
    onPick('');
    location.assign(formPath(prompt, open.stored ? open.id : null));
  };
  const onKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (shiftKey || ctrlKey || metaKey || altKey) return false;
    if (key === 'Escape') {
      onClose();
      return true;
    }
    // Do not take results of a search for other words than those in the box.
    if (key === 'Enter' && !isCurrent && !isCommand(options[at])) return true;
    if (options.length === 0) return false;
    if (key === 'Enter') choose(options[at]);
    else if (key === 'ArrowDown') setActive((at + 1) % options.length);
    else if (key === 'ArrowUp') setActive((at + options.length - 1) % options.length);
    else return false;
    return true;
  };
  useImperativeHandle(ref, () => ({ onKey }));

  const chosen = options[at];
  if (!answer?.found && !isCommand(options[0])) return null;
  return (
    <section className="finder mb-2 grid gap-1 p-2" aria-label={m.chat_prompts()}>
      <p className="fine px-2" role="status">
        {isCommand(chosen) ? commands[chosen].hint() : countText(answer?.found ?? nothing)}
      </p>
      <div id={id} role="listbox" aria-label={m.chat_prompts()}>
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box keeps the focus and handles the keys
          <div
            key={isCommand(option) ? option : option.id}
            id={optionId(index)}
            className="chat-option grid min-h-(--hit) cursor-pointer content-center wrap-anywhere"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            dir="auto"
            onPointerMove={() => setActive(index)}
            onClick={() => choose(option)}
          >
            <span className="text-sm font-semibold">
              {isCommand(option) ? commands[option].name() : option.title}
            </span>
            <span className="fine">
              {isCommand(option) ? commands[option].describe(me) : promptDescription(option)}
            </span>
          </div>
        ))}
      </div>
      {me ? (
        <button
          type="button"
          className="link justify-self-start px-2 py-1 text-sm"
          onClick={() => {
            // The dialog returns the focus to the box.
            box.current?.focus({ preventScroll: true });
            onClose();
            controls.show({ kind: 'new-prompt', title: words.trim() });
          }}
        >
          {m.chat_prompt_new()}
        </button>
      ) : null}
    </section>
  );
}
