import { type Feature, featureTable, inCredits, planLimits } from '../../../features/credits/contract.ts';

/** The rows in the order of the menu, and what one pays for. */
const rows: ReadonlyArray<{ feature: Feature; unit: string; units: string }> = [
  { feature: 'chat', unit: 'a message', units: 'messages' },
  { feature: 'writer', unit: 'a text', units: 'texts' },
  { feature: 'image', unit: 'a picture', units: 'pictures' },
  { feature: 'script', unit: 'a script', units: 'scripts' },
  { feature: 'pdf', unit: 'a document', units: 'documents' },
  { feature: 'question', unit: 'a question', units: 'questions' },
  { feature: 'prompts', unit: 'a prompt', units: 'prompts' },
];

function Free({ feature, unit }: { feature: Feature; unit: string }) {
  const { price, free } = featureTable[feature];
  if (!free) return 'Part of Pro';
  if (price === 0) return 'Free to use, Pro prompts apart';
  const perDay = feature === 'chat' ? `, ${planLimits.free.chatsPerDay} new conversations a day` : '';
  return `${inCredits(price)} ${unit}${perDay}`;
}

interface PlanTableProps {
  fairUse: Partial<Record<Feature, number>>;
}

/** Every tool by plan, from the table that the charges are made by. */
export function PlanTable({ fairUse }: PlanTableProps) {
  return (
    <section className="pricing-section" id="plans" aria-labelledby="plans-title">
      <h2 className="h2" id="plans-title">
        What each plan includes
      </h2>
      <table className="plan-table">
        <thead>
          <tr>
            <th scope="col">Tool</th>
            <th scope="col">Free</th>
            <th scope="col">Pro</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ feature, unit, units }) => (
            <tr key={feature}>
              <th scope="row">{featureTable[feature].name}</th>
              <td>
                <Free feature={feature} unit={unit} />
              </td>
              <td>
                {fairUse[feature] === undefined
                  ? `All ${units}`
                  : `No credits, up to ${fairUse[feature]} ${units} a day`}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td colSpan={3}>
              Each press that asks a model costs its tool’s price, and the button says so. What fails gives
              its credits back. Days are UTC.
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
