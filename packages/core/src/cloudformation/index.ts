export * from './context.ts';
export type * from './facts.ts';
export * from './names.ts';
export * from './provider.ts';
