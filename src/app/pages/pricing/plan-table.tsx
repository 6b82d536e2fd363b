import { type Feature, featureTable } from '../../../features/credits/contract.ts';
import { freeTerms, type PricedFeature, proTerms } from '../parts/tool-terms.ts';

/** The rows in the order of the menu. */
const rows: readonly PricedFeature[] = ['chat', 'writer', 'image', 'script', 'pdf', 'question', 'prompts'];

interface PlanTableProps {
  fairUse: Partial<Record<Feature, number>>;
}

/** Every tool by plan, from the table that the charges are made by. */
export function PlanTable({ fairUse }: PlanTableProps) {
  return (
    <section className="page-section" id="plans" aria-labelledby="plans-title">
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
          {rows.map((feature) => (
            <tr key={feature}>
              <th scope="row">{featureTable[feature].name}</th>
              <td>{freeTerms(feature)}</td>
              <td>{proTerms(feature, fairUse[feature])}</td>
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
