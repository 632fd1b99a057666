export type * from './authorization.ts';
export type * from './types.ts';
