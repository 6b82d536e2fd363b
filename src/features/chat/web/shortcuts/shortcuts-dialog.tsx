import { useState } from 'react';
import { Modal } from '../../../../ui/modal.tsx';
import type { DialogProps } from '../dialogs.tsx';
import { isApple, keysOf, shortcuts } from './keys.ts';
import { setShortcuts, shortcutsOn } from './setting.ts';
import './shortcuts.css';

/** The keys of the page, and the switch that turns them off. */
export default function ShortcutsDialog({ controls }: DialogProps) {
  const [on, setOn] = useState(shortcutsOn);
  const apple = isApple();
  const turn = (wanted: boolean) => {
    setShortcuts(wanted);
    setOn(shortcutsOn());
  };
  return (
    <Modal title="Keyboard shortcuts" onClose={() => controls.show(null)}>
      {() => (
        <div className="dialog-body shortcuts">
          <dl className="shortcuts-list" data-off={on ? undefined : ''}>
            {shortcuts.map((shortcut) => (
              <div key={shortcut.name}>
                <dt>{shortcut.does}</dt>
                <dd>
                  {keysOf(shortcut, apple).map((key) => (
                    <kbd key={key} className="kbd">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
          <label className="shortcuts-switch">
            <input type="checkbox" checked={on} onChange={(event) => turn(event.currentTarget.checked)} />
            <span>Use these shortcuts</span>
          </label>
        </div>
      )}
    </Modal>
  );
}
