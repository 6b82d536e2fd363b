import { Check, ChevronDown } from 'lucide-react';
import { useCallback, useEffect, useId, useRef, useState } from 'react';
import { useIsHydrated } from '#client/use-is-hydrated.ts';
import { formatCredits, messagePrice, planLimits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { type ChatModel, chatModels } from '#shared/chat-models.ts';
import { MenuItem } from '#ui/menu.tsx';
import { PopupMenu, useChoose } from '../sidebar/popup-menu.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import { type ChosenModel, comparableModels, comparedModel } from '../state/chosen-model.ts';

interface ModelPickerProps extends ChatProps {
  chosen: ChosenModel;
}

const channel = 'chat-model';

type Choice = { model: string | null } | { compare: string | null };
type TabMessage = Choice & { chatId: string };

/** Shares choices with other tabs that show the same chat. */
function useOtherTabs({ state: { open }, controls }: ChatProps) {
  const tabs = useRef<BroadcastChannel | null>(null);
  const { id, stored } = open;
  useEffect(() => {
    const tab = new BroadcastChannel(channel);
    tabs.current = tab;
    tab.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (!stored || data.chatId !== id) return;
      if ('compare' in data) controls.compareWith(data.compare, { fromOtherTab: true });
      else controls.chooseModel(data.model, { fromOtherTab: true });
    };
    return () => tab.close();
  }, [id, stored, controls]);
  return (choice: Choice) => tabs.current?.postMessage({ chatId: id, ...choice } satisfies TabMessage);
}

const modelTraits = ({ seesImages, thinks }: ChatModel) => [
  ...(seesImages ? [m.chat_model_images()] : []),
  ...(thinks ? [m.chat_model_thinks()] : []),
];

function ModelItem({
  role,
  model,
  checked,
  isFree,
  onChoose,
}: {
  role: 'menuitemradio' | 'menuitemcheckbox';
  model: ChatModel;
  checked: boolean;
  /** On the free plan messages cost credits. */
  isFree: boolean;
  onChoose: () => void;
}) {
  const choose = useChoose();
  const locked = isFree && model.pro;
  return (
    <MenuItem role={role} tabIndex={-1} aria-checked={checked} onClick={choose(onChoose)}>
      <Check
        size={16}
        strokeWidth={2}
        aria-hidden="true"
        className={checked ? 'shrink-0 self-start mt-0.5' : 'invisible shrink-0'}
      />
      <span className="grid min-w-0 flex-1 py-1">
        <span className="flex items-baseline justify-between gap-3">
          <span className="font-semibold wrap-anywhere">{model.name}</span>
          {isFree ? (
            <span className="shrink-0 text-xs text-fg-muted">
              {locked ? m.plan_pro() : formatCredits(messagePrice(model))}
            </span>
          ) : null}
        </span>
        {model.about === '' ? null : <span className="text-xs text-fg-muted">{model.about}</span>}
        {modelTraits(model).length === 0 ? null : (
          <span className="text-xs text-fg-subtle">{modelTraits(model).join(' · ')}</span>
        )}
      </span>
    </MenuItem>
  );
}

interface CompareItemsProps {
  others: ChatModel[];
  second: ChatModel | undefined;
  isFree: boolean;
  onChoose: (model: string | null) => void;
}

function CompareItems({ others, second, isFree, onChoose }: CompareItemsProps) {
  const heading = useId();
  if (others.length === 0) return null;
  return (
    <>
      <div className="menu-line" />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div role="group" aria-labelledby={heading}>
        <p id={heading} className="px-2.5 pt-1 pb-1.5 text-xs text-fg-muted">
          {m.chat_compare_with()}
        </p>
        {others.map((model) => (
          <ModelItem
            key={model.id}
            role="menuitemcheckbox"
            model={model}
            checked={model === second}
            isFree={isFree}
            onChoose={() => onChoose(model === second ? null : model.id)}
          />
        ))}
      </div>
    </>
  );
}

export function ModelPicker({ state, controls, chosen }: ModelPickerProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState(0);
  const isAlive = useIsHydrated();
  const broadcast = useOtherTabs({ state, controls });
  const close = useCallback((closed: number) => setOpened((now) => (now === closed ? 0 : now)), []);
  const isFree = state.me !== null && !planLimits[state.me.plan].unlimited;
  const second = comparedModel(state);
  const shown = [chosen.model, ...(second ? [second] : [])].map(({ name }) => name).join(' + ');
  const choose = (model: ChatModel) => {
    if (isFree && model.pro) return controls.show({ kind: 'upgrade', cause: 'asked' });
    controls.chooseModel(model.id);
    broadcast({ model: model.id });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className="flex h-(--hit) max-w-[40%] min-w-0 items-center gap-1 rounded-full px-3 text-sm text-fg-muted hover:bg-sunken hover:text-fg"
        aria-label={second ? m.chat_compare_button({ models: shown }) : m.chat_model_button({ model: shown })}
        aria-haspopup="menu"
        aria-expanded={opened > 0}
        aria-disabled={isAlive ? undefined : true}
        onClick={() => setOpened(opened + 1)}
      >
        <span className="min-w-0 truncate">{shown}</span>
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      </button>
      {opened > 0 && button.current ? (
        <PopupMenu
          // The event that closes a menu comes a task later, when the menu may be open again.
          key={opened}
          label={m.chat_models()}
          button={button.current}
          opened={opened}
          onClose={close}
          className="max-h-[min(28rem,70dvh)] w-[min(22rem,calc(100vw-2*var(--s-4)))] max-w-none overflow-y-auto overscroll-contain"
        >
          {chatModels().map((model) => (
            <ModelItem
              key={model.id}
              role="menuitemradio"
              model={model}
              checked={model === chosen.model}
              isFree={isFree}
              onChoose={() => choose(model)}
            />
          ))}
          <CompareItems
            others={comparableModels(state)}
            second={second}
            isFree={isFree}
            onChoose={(compare) => {
              controls.compareWith(compare);
              broadcast({ compare });
            }}
          />
        </PopupMenu>
      ) : null}
    </>
  );
}

/** Explains that the chosen model no longer replies. */
export function UnavailableModelNotice({ id, chosen }: { id: string; chosen: ChosenModel }) {
  const name = chatModels().find((model) => model.id === id)?.name ?? id;
  const params = { model: name, now: chosen.model.name };
  return (
    <p className="px-4 pb-2 text-sm text-fg-muted wrap-anywhere" role="status">
      {chosen.fallback === 'plan' ? m.chat_model_lost_plan(params) : m.chat_model_lost(params)}
    </p>
  );
}
