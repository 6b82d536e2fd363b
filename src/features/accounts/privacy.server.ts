export {
  lockIfDueForErasure,
  onAccountDeleted,
  usersDueForErasure,
} from './deletion/account-deletion.server.ts';
