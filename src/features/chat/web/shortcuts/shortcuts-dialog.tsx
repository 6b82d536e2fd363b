import { useState } from 'react';
import { m } from '#messages';
import { Checkbox } from '#ui/checkbox.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { ChatProps } from '../state/chat-controls.ts';
import { isApple, keyLabels, setShortcuts, shortcuts, shortcutsOn } from './shortcuts.ts';

export default function ShortcutsDialog({ controls }: ChatProps) {
  const [on, setOn] = useState(shortcutsOn);
  const apple = isApple();
  const toggle = (enabled: boolean) => {
    setShortcuts(enabled);
    setOn(shortcutsOn());
  };
  return (
    <Dialog title={m.chat_shortcuts()} onClose={() => controls.show(null)}>
      {() => (
        <div className="dialog-body grid gap-3 text-sm">
          <dl className={`border-t border-fg ${on ? '' : 'text-fg-subtle'}`}>
            {shortcuts.map((shortcut) => (
              <div
                key={shortcut.name}
                className="flex items-center justify-between gap-4 border-b border-line py-2.5"
              >
                <dt>{shortcut.describe()}</dt>
                <dd className="flex shrink-0 gap-1">
                  {keyLabels(shortcut, apple).map((key) => (
                    <kbd
                      key={key}
                      className="inline-block rounded-sm border border-b-2 border-line bg-surface px-[0.4em] font-ui text-2xs/5 font-medium text-fg-muted"
                    >
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <Checkbox checked={on} onChange={toggle}>
            {m.chat_shortcuts_on()}
          </Checkbox>
        </div>
      )}
    </Dialog>
  );
}
