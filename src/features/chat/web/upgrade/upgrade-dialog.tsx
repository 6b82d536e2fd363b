import { useState } from 'react';
import { ChoiceCards } from '../../../../ui/choice-cards.tsx';
import { Modal } from '../../../../ui/modal.tsx';
import { defaultDuration, noSale, planChoices, proPromise } from '../../../credits/contract.ts';
import type { DialogProps } from '../dialogs.tsx';
import { reasonOf } from './reasons.ts';
import './upgrade.css';

/** What Pro is, when a limit is met or near: what happened, what holds now, the plans, and the way past it all. */
export default function UpgradeDialog({ state: { me, dialog }, controls }: DialogProps) {
  const [openedAt] = useState(() => new Date());
  if (!me || dialog?.kind !== 'upgrade') return null;
  const { title, text, facts } = reasonOf(dialog, me, openedAt);
  return (
    <Modal title={title} className="upgrade" onClose={() => controls.show(null)}>
      {(close) => (
        <>
          <div className="dialog-body upgrade-body">
            <p>{text}</p>
            <dl className="upgrade-facts">
              {facts.map(([name, value]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            <form className="upgrade-plans" aria-labelledby="upgrade-plans">
              <h3 className="text-sm font-semibold" id="upgrade-plans">
                Pro
              </h3>
              {dialog.cause === 'asked' ? null : <p className="muted text-sm">{proPromise}</p>}
              <ChoiceCards
                name="plan"
                legend="Duration of Pro"
                choices={planChoices}
                chosen={defaultDuration}
              />
            </form>
            <p className="fine">{noSale}</p>
          </div>
          <div className="dialog-foot">
            <button type="button" className="btn btn-secondary btn-lg" onClick={close}>
              Not now
            </button>
          </div>
        </>
      )}
    </Modal>
  );
}
