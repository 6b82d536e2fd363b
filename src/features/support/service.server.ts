export {
  ContactCommandError,
  closeMessage,
  listMessages,
  messagesCsv,
  showMessage,
} from './contact/message-list.server.ts';
export {
  everySubscriber,
  newsletterCounts,
  unsubscribeByAddress,
} from './newsletter/newsletter-subscription.server.ts';
export {
  findIssue,
  type Issue,
  IssueError,
  listIssues,
  previewIssue,
  sendIssue,
  sendTestIssue,
} from './newsletter/send-issue.server.ts';
