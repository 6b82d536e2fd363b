export { history, OperatorError, overview } from './operator/billing-overview.server.ts';
export {
  addCredits,
  addPlanGrant,
  refund,
  removeCredits,
  revokePlan,
} from './operator/operator-actions.server.ts';
export { type ReplaySelection, reconcile, replayEvents } from './operator/repair.server.ts';
export { openPackCheckout } from './packs/open-pack-checkout.server.ts';
export {
  definedPacks,
  offeredPacks,
  packsVersion,
  readPacks,
  unsellableReason,
} from './packs/pack-catalog.server.ts';
export {
  checkoutOrigins,
  creemAccess,
  onSale,
  paymentOrigins,
  paymentProvider,
  productOf,
} from './provider/configured-provider.server.ts';
export { openCheckout } from './purchases/open-checkout.server.ts';
export { countOpenEvents } from './store.server.ts';
export { billingView, listInvoices } from './subscriptions/billing-summary.server.ts';
export { applyPendingEvents } from './webhook-inbox.server.ts';
