export { answerApiProblem } from './api-error.server.ts';

export const isApiPath = (path: string): boolean => path.startsWith('/v1/');
