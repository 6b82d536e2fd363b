import { ChoiceCards } from '../../../ui/choice-cards.tsx';
import { Modal } from '../../../ui/modal.tsx';
import { defaultDuration, noSale, planChoices, proPromise } from '../contract.ts';
import './upgrade.css';

/** What an upgrade dialog says: what happened, and what holds now, as pairs of a name and a value. */
export interface UpgradeReason {
  title: string;
  text: string;
  facts: [name: string, value: string][];
}

interface UpgradeDialogProps {
  reason: UpgradeReason;
  onClose: () => void;
}

/** What Pro is, when a limit is met or near: what happened, what holds now, the plans, and the way past it all. */
export default function UpgradeDialog({ reason: { title, text, facts }, onClose }: UpgradeDialogProps) {
  return (
    <Modal title={title} className="upgrade" onClose={onClose}>
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
              {text === proPromise ? null : <p className="muted text-sm">{proPromise}</p>}
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
