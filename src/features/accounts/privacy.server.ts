export {
  deleteAccountOf,
  lockIfDueForErasure,
  onAccountDeleted,
  usersDueForErasure,
} from './deletion/account-deletion.server.ts';
